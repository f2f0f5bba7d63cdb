import { randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { nonGlobalRange } from '../../platform/net/address-policy.js';
import { fail, pass, skipped, warn, type Check } from './check.js';

const SLOW_MS = 300;
const RESOLVER_OF_YOUR_OWN =
  'run a caching resolver of your own (unbound, knot-resolver) on this machine and name it in DNS_SERVERS';

export const RESOLVER: Check = {
  name: 'resolver',
  why: 'a resolver that answers for names that do not exist makes mistyped domains look alive; a slow one makes every verdict slow',
  network: true,
  run: async ({ names, clock }) => {
    const start = clock.monotonicMs();
    // Random, so that no cache knows it, and under a domain that registers everything else.
    const said = await names.ipv4(`rcpt-doctor-${randomBytes(12).toString('hex')}.com`);
    const ms = Math.round(clock.monotonicMs() - start);
    if (said.kind === 'error')
      return fail(
        `the resolver does not answer a question about a new name (${said.code})`,
        RESOLVER_OF_YOUR_OWN,
      );
    if (said.kind !== 'no_domain')
      return fail(
        'the resolver says that a name exists which nobody has',
        `it lies, most often to show advertising: ${RESOLVER_OF_YOUR_OWN}`,
      );
    if (ms > SLOW_MS) return warn(`the resolver took ${ms} ms for a new name`, RESOLVER_OF_YOUR_OWN);
    return pass(`the resolver answers, the truth, in ${ms} ms`);
  },
};

/** Signed wrongly on purpose, and kept so for tests like this one; its operator is Comcast. */
const WRONGLY_SIGNED = 'dnssec-failed.org';

export const DNSSEC: Check = {
  name: 'dnssec',
  why: 'without validation a forged answer can send our questions to a mail server of somebody’s choice',
  network: true,
  run: async ({ names }) => {
    const said = await names.ipv4(WRONGLY_SIGNED);
    if (said.kind === 'error' && said.code === 'ESERVFAIL')
      return pass('the resolver refuses answers that are wrongly signed');
    if (said.kind === 'records')
      return warn('the resolver does not look at signatures', `let it validate, or ${RESOLVER_OF_YOUR_OWN}`);
    return skipped(
      `the resolver gives no clear answer about ${WRONGLY_SIGNED} (${said.kind === 'error' ? said.code : said.kind})`,
    );
  },
};

const ASK_FOR_IPV6 =
  'nothing, or ask your hosting provider for an IPv6 address, with a reverse name of its own: few servers need it';

export const IPV6: Check = {
  name: 'ipv6',
  why: 'some mail servers are reached over IPv6 only; without a route there their verdicts are unknown / no_connect',
  network: true,
  run: async ({ config, localAddress, seenAs }) => {
    if (config.smtp.proxy)
      return skipped(
        'mail servers are dialled by the proxy, and which routes it has cannot be told from here',
      );
    const { ipv6 } = localAddress;
    if (ipv6 === null) return warn('no route to the IPv6 Internet', ASK_FOR_IPV6);
    const seen = seenAs.find((ip) => isIPv6(ip));
    if (seen === undefined && nonGlobalRange(ipv6) !== null)
      return warn(`this machine sends from ${ipv6}, which is no public address`, ASK_FOR_IPV6);
    return pass(`there is a route, from ${seen ?? ipv6}`);
  },
};
