import { isIPv4 } from 'node:net';
import { fail, worstOf, pass, skipped, warn, type Check, type CheckResult } from './check.js';
import { reversed, type DoctorResolver } from './names.js';

interface DnsList {
  zone: string;
  /** Whether many mail servers use the list. */
  isWidelyUsed: boolean;
  ipv6: boolean;
  lookUp: string;
}

const LISTS: readonly DnsList[] = [
  { zone: 'zen.spamhaus.org', isWidelyUsed: true, ipv6: true, lookUp: 'https://check.spamhaus.org/' },
  { zone: 'bl.spamcop.net', isWidelyUsed: false, ipv6: false, lookUp: 'https://www.spamcop.net/bl.shtml' },
];

/** Every IP block list contains the first of these test addresses, and none contains the second (RFC 5782 §5). */
const ALWAYS_LISTED = '127.0.0.2';
const NEVER_LISTED = '127.0.0.1';

/** Spamhaus error codes: typing error, public resolver, too many queries. */
const NOT_SERVED = /^127\.255\.255\.\d+$/;
/**
 * Policy listing: addresses that should not send mail directly, such as home connections and most
 * clouds (Spamhaus PBL).
 */
const POLICY_LISTED = ['127.0.0.10', '127.0.0.11'];

export const LISTINGS: Check = {
  check: 'dns_lists',
  why: 'servers refuse clients that are on a DNS list, whatever the recipient; the verdict is then unknown / sender_blocked',
  network: true,
  perEgress: true,
  run: async ({ names, publicAddresses }) => {
    if (publicAddresses.length === 0)
      return skipped(
        'the public address cannot be determined from here',
        'run it again with --egress-ip and that address',
      );
    const queried = LISTS.flatMap((list) =>
      publicAddresses.filter((ip) => list.ipv6 || isIPv4(ip)).map((ip) => listing(names, list, ip)),
    );
    return worstOf(await Promise.all(queried));
  },
};

async function listing(
  names: DoctorResolver,
  { zone, isWidelyUsed, lookUp }: DnsList,
  ip: string,
): Promise<CheckResult> {
  const [lookup, control, absent] = await Promise.all([
    names.ipv4(`${reversed(ip)}.${zone}`),
    names.ipv4(`${reversed(ALWAYS_LISTED)}.${zone}`),
    names.ipv4(`${reversed(NEVER_LISTED)}.${zone}`),
  ]);
  const codes = [lookup, control, absent].flatMap((response) =>
    response.kind === 'records' ? response.records : [],
  );
  if (control.kind !== 'records' || codes.some((code) => NOT_SERVED.test(code)))
    return skipped(
      `${zone} cannot be queried through this resolver`,
      `it serves no public resolvers: run one of your own and name it in DNS_SERVERS, or look ${ip} up at ${lookUp}`,
    );
  if (absent.kind === 'records')
    return skipped(
      `${zone} is not usable: it answers as if every address were listed`,
      `it is out of service, or the resolver answers for names that do not exist: see the line about the resolver, or look ${ip} up at ${lookUp}`,
    );
  if (lookup.kind === 'error') return skipped(`${zone} did not respond (${lookup.code})`);
  if (lookup.kind !== 'records') return pass(`${ip} is not on ${zone}`);

  const found = `${ip} is on ${zone} (${lookup.records.join(', ')})`;
  if (!isWidelyUsed)
    return warn(found, `look it up at ${lookUp}; the entry is removed automatically when the reports end`);
  const byPolicy = lookup.records.every((code) => POLICY_LISTED.includes(code));
  return fail(
    found,
    byPolicy
      ? `the list contains addresses that should not send mail directly: request removal at ${lookUp}, or use another address`
      : `look up the reason at ${lookUp}, remove the cause, and request removal there`,
  );
}
