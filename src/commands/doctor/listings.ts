import { isIPv4 } from 'node:net';
import { fail, gravest, pass, skipped, warn, type Check, type Finding } from './check.js';
import { reversed, type DoctorResolver } from './names.js';

interface DnsList {
  zone: string;
  /** How much mail is refused because of it. */
  isWidelyUsed: boolean;
  ipv6: boolean;
  lookUp: string;
}

const LISTS: readonly DnsList[] = [
  { zone: 'zen.spamhaus.org', isWidelyUsed: true, ipv6: true, lookUp: 'https://check.spamhaus.org/' },
  { zone: 'bl.spamcop.net', isWidelyUsed: false, ipv6: false, lookUp: 'https://www.spamcop.net/bl.shtml' },
];

/** Every list of addresses lists this one, so that it can be seen to work (RFC 5782 §5). */
const ALWAYS_LISTED = '127.0.0.2';

/** Spamhaus answers those it does not serve with these: typing error, public resolver, too many questions. */
const NOT_SERVED = /^127\.255\.255\.\d+$/;
/** Addresses that their owner says should send no mail: home connections, most clouds (Spamhaus PBL). */
const POLICY_LISTED = ['127.0.0.10', '127.0.0.11'];

export const LISTINGS: Check = {
  name: 'dns_lists',
  why: 'servers refuse whom a DNS list names, whatever the recipient; the verdict is then unknown / sender_blocked',
  network: true,
  run: async ({ names, seenAs }) => {
    if (seenAs.length === 0)
      return skipped(
        'which address mail servers see cannot be told from here',
        'run it again with --egress-ip and that address',
      );
    const asked = LISTS.flatMap((list) =>
      seenAs.filter((ip) => list.ipv6 || isIPv4(ip)).map((ip) => listing(names, list, ip)),
    );
    return gravest(await Promise.all(asked));
  },
};

async function listing(
  names: DoctorResolver,
  { zone, isWidelyUsed, lookUp }: DnsList,
  ip: string,
): Promise<Finding> {
  const [said, control] = await Promise.all([
    names.ipv4(`${reversed(ip)}.${zone}`),
    names.ipv4(`${reversed(ALWAYS_LISTED)}.${zone}`),
  ]);
  const codes = [said, control].flatMap((each) => (each.kind === 'records' ? each.records : []));
  if (control.kind !== 'records' || codes.some((code) => NOT_SERVED.test(code)))
    return skipped(
      `${zone} cannot be asked through this resolver`,
      `it serves no public resolvers: run one of your own and name it in DNS_SERVERS, or look ${ip} up at ${lookUp}`,
    );
  if (said.kind === 'error') return skipped(`${zone} did not answer (${said.code})`);
  if (said.kind !== 'records') return pass(`${ip} is not on ${zone}`);

  const found = `${ip} is on ${zone} (${said.records.join(', ')})`;
  if (!isWidelyUsed) return warn(found, `look it up at ${lookUp}; it goes by itself when the reports end`);
  const byPolicy = said.records.every((code) => POLICY_LISTED.includes(code));
  return fail(
    found,
    byPolicy
      ? `the address is one that should send no mail: have it taken out at ${lookUp}, or use another`
      : `look up why at ${lookUp}, end the cause, and ask for removal there`,
  );
}
