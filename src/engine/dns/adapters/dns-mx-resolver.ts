import type { MxRecord } from '../../../kernel/verdict.js';
import {
  MxResolver,
  type DnsRequester,
  type MailRoute,
  type ResolvedRoute,
  freshnessOf,
} from '../mx-resolver.js';
import { DnsClient, type HostAddresses } from './dns-client.js';

/** Further hosts are ignored: senders do not try them, and a zone could list thousands. */
const MAX_HOSTS = 20;

/** Finds the mail hosts of a domain (RFC 5321 §5.1). */
export class DnsMxResolver extends MxResolver {
  constructor(private readonly dns: DnsClient) {
    super();
  }

  async resolve(domain: string, signal: AbortSignal, requester: DnsRequester): Promise<ResolvedRoute> {
    const mx = await this.dns.mx(domain, signal, requester);
    if (mx.kind === 'no_domain') return { route: { kind: 'no_domain' }, ...freshnessOf([mx]) };
    if (mx.kind === 'error') return { route: { kind: 'dns_error', error: mx.error }, ...freshnessOf([mx]) };
    if (mx.kind === 'records') return { route: routeOf(mx.records), ...freshnessOf([mx]) };

    const addresses = await this.dns.addresses(domain, signal, requester);
    return { route: implicitRoute(domain, addresses), ...freshnessOf([mx, addresses]) };
  }
}

/**
 * Where MX records exist, the domain's own address is never used, even when none of the hosts has an
 * address. A single `.` says that the domain accepts no mail (RFC 7505 §3). Among other records it is
 * an error and is ignored.
 */
function routeOf(records: readonly MxRecord[]): MailRoute {
  const named = records.filter(({ host }) => host !== '');
  if (named.length === 0) return { kind: 'null_mx' };

  const byPreference = named.toSorted((a, b) => a.preference - b.preference);
  const hosts = byPreference.filter(
    ({ host }, i) => byPreference.findIndex((other) => other.host === host) === i,
  );
  return { kind: 'hosts', implicit: false, hosts: hosts.slice(0, MAX_HOSTS) };
}

/** Without MX records the domain itself is the mail host, if it has an address. */
function implicitRoute(domain: string, addresses: HostAddresses): MailRoute {
  if (addresses.kind === 'error') return { kind: 'dns_error', error: addresses.error };
  if (addresses.kind === 'none') return { kind: 'no_mail_server' };
  return { kind: 'hosts', implicit: true, hosts: [{ host: domain, preference: 0 }] };
}
