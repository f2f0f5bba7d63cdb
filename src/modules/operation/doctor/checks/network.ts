import { randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { nonGlobalRange } from '../../../../platform/net/address-policy.js';
import { parseResponse } from '../../../../engine/dns/adapters/dns-message.js';
import { queryServer } from '../../../../engine/dns/adapters/dns-transport.js';
import { withDeadline } from '../../../../kernel/deadline.js';
import { parseDnsServer } from '../../../../platform/net/dns-server.js';
import {
  fail,
  notApplicable,
  pass,
  skipped,
  warn,
  worstOf,
  type Check,
  type CheckResult,
  type DoctorContext,
} from './check.js';

const SLOW_MS = 300;
const RESOLVER_OF_YOUR_OWN =
  'run a caching resolver of your own (unbound, knot-resolver) on this machine and name it in DNS_SERVERS';

export const RESOLVER: Check = {
  check: 'resolver',
  why: 'if a resolver answers for names that do not exist, mistyped domains seem to exist; a slow one delays every verdict',
  network: true,
  run: async ({ names, clock }) => {
    const start = clock.monotonicMs();
    // A random name that no cache contains, under a domain that has no wildcard.
    const lookup = await names.ipv4(`rcpt-doctor-${randomBytes(12).toString('hex')}.com`);
    const ms = Math.round(clock.monotonicMs() - start);
    if (lookup.kind === 'error')
      return fail(
        `the resolver does not respond to a query for a new name (${lookup.code})`,
        RESOLVER_OF_YOUR_OWN,
      );
    if (lookup.kind !== 'no_domain')
      return fail(
        'the resolver answers for a name that does not exist',
        `it replaces NXDOMAIN, usually to show advertising: ${RESOLVER_OF_YOUR_OWN}`,
      );
    if (ms > SLOW_MS) return warn(`the resolver took ${ms} ms for a new name`, RESOLVER_OF_YOUR_OWN);
    return pass(`the resolver answers correctly in ${ms} ms`);
  },
};

/** For one server. */
const SERVER_MS = 4_000;

export const NEGATIVE_ANSWERS: Check = {
  check: 'negative_answers',
  why: 'negative answers without an SOA record are not accepted (RFC 2308), and verdicts for mistyped domains are unknown / dns_error',
  network: true,
  run: async (context) =>
    worstOf(await Promise.all(context.config.dns.servers.map((server) => checkServer(server, context)))),
};

async function checkServer(text: string, { clock, signal }: DoctorContext): Promise<CheckResult> {
  const server = parseDnsServer(text);
  if (server === null) return skipped(`${text} is no address of a name server`);
  // A random name is not cached.
  const question = { type: 'MX', name: `rcpt-doctor-${randomBytes(12).toString('hex')}.com` } as const;
  if (signal.aborted) return skipped(`${text} could not be queried before the deadline`);
  const kinds: string[] = [];
  const query = async (ended: () => AbortSignal) => {
    // Twice: some forwarders omit the SOA record only in cached responses.
    for (let n = 0; n < 2 && !ended().aborted; n++) {
      const reply = await queryServer(server, question, true, ended());
      if (reply.kind === 'packet') kinds.push(parseResponse(reply.packet, question).kind);
    }
  };
  await withDeadline(SERVER_MS, signal, query, clock);
  if (kinds.includes('unproven'))
    return fail(
      `${text} omits the SOA record in negative answers`,
      `set DNS_SERVERS to a resolver that keeps the authority section: a local caching resolver (unbound, knot-resolver), or the one that ${text} forwards to`,
    );
  if (kinds.includes('response')) return pass(`${text} sends the SOA record in negative answers`);
  return skipped(`${text} gave no usable answer for a name that does not exist`);
}

/** A test domain with an intentionally wrong signature, operated by Comcast. */
const WRONGLY_SIGNED = 'dnssec-failed.org';

export const DNSSEC: Check = {
  check: 'dnssec',
  why: 'without validation a forged answer can redirect us to a mail server of the attacker',
  network: true,
  run: async ({ names }) => {
    const lookup = await names.ipv4(WRONGLY_SIGNED);
    if (lookup.kind === 'error' && lookup.code === 'ESERVFAIL')
      return pass('the resolver rejects wrong signatures');
    if (lookup.kind === 'records')
      return warn(
        'the resolver does not validate signatures',
        `enable validation, or ${RESOLVER_OF_YOUR_OWN}`,
      );
    return skipped(
      `the resolver gives no clear answer about ${WRONGLY_SIGNED} (${lookup.kind === 'error' ? lookup.code : lookup.kind})`,
    );
  },
};

const IPV6_ADVICE =
  'nothing, or ask your hosting provider for an IPv6 address, with a reverse name of its own: few servers need it';

export const IPV6: Check = {
  check: 'ipv6',
  why: 'some mail servers are reached over IPv6 only; without a route there their verdicts are unknown / no_connect',
  network: true,
  run: async ({ config, localAddress, publicAddresses }) => {
    if (config.smtp.egresses.every(({ route }) => route.kind === 'socks5'))
      return notApplicable('the proxy connects to mail servers, and its routes are unknown here');
    const { ipv6 } = localAddress;
    if (ipv6 === null) return warn('no route to the IPv6 Internet', IPV6_ADVICE);
    const publicAddress = publicAddresses.find((ip) => isIPv6(ip));
    if (publicAddress === undefined && nonGlobalRange(ipv6) !== null)
      return warn(`this machine sends from ${ipv6}, which is not a public address`, IPV6_ADVICE);
    return pass(`there is a route, from ${publicAddress ?? ipv6}`);
  },
};
