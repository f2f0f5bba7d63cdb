import type { MxRecord } from '../../../kernel/verdict.js';
import {
  MxResolver,
  type DnsRequester,
  type MailRoute,
  type ResolvedRoute,
  freshnessOf,
} from '../mx-resolver.js';
import { DnsClient } from './dns-client.js';
import type { HostAddresses } from './host-resolver.js';
import { isUsableExchange } from './mx-exchange.js';

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
    const route = mx.kind === 'records' ? routeOf(mx.records) : null;
    if (route !== null) return { route, ...freshnessOf([mx]) };

    const addresses = await this.dns.addresses(domain, signal, requester);
    const own = implicitRoute(domain, addresses);
    const freshness = freshnessOf([mx, addresses]);
    return { route: mx.kind === 'records' ? unreadableRoute(mx.records, own) : own, ...freshness };
  }
}

/**
 * Where MX records exist, the domain's own address is never used, even when none of the hosts has an
 * address. A `.` with the preference 0 says that the domain accepts no mail (RFC 7505 §3). Among other records, or
 * with another preference, it is an error.
 *
 * One record that names no host stays beside others: while it is there, the others prove no lack of a mail server.
 *
 * @returns null: no record names a host.
 */
function routeOf(records: readonly MxRecord[]): MailRoute | null {
  const named = records.filter(({ host }) => host !== '');
  if (named.length === 0 && records.some(({ preference }) => preference === 0)) return { kind: 'null_mx' };

  const byPreference = named.toSorted((a, b) => a.preference - b.preference);
  const usable = byPreference.filter(({ host }) => isUsableExchange(host));
  const [unreadable] = byPreference.filter(({ host }) => !isUsableExchange(host));
  if (usable.length === 0) return null;
  const hosts = usable.filter(({ host }, i) => usable.findIndex((other) => other.host === host) === i);
  const kept = hosts.slice(0, unreadable === undefined ? MAX_HOSTS : MAX_HOSTS - 1);
  const all = unreadable === undefined ? kept : [...kept, unreadable];
  return { kind: 'hosts', implicit: false, hosts: all.toSorted((a, b) => a.preference - b.preference) };
}

/** Records that name no host: a domain with an address may mean to receive mail, one without cannot. */
function unreadableRoute(records: readonly MxRecord[], own: MailRoute): MailRoute {
  if (own.kind === 'no_mail_server') return own;
  const names = records.map(({ host, preference }) => `${preference} ${host === '' ? '.' : host}`);
  return { kind: 'dns_error', error: `no MX record names a host: ${names.slice(0, 3).join(', ')}` };
}

/** Without MX records the domain itself is the mail host, if it has an address. */
function implicitRoute(domain: string, addresses: HostAddresses): MailRoute {
  if (addresses.kind === 'error') return { kind: 'dns_error', error: addresses.error };
  if (addresses.kind === 'none') return { kind: 'no_mail_server' };
  return { kind: 'hosts', implicit: true, hosts: [{ host: domain, preference: 0 }] };
}
