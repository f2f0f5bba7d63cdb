import { isIPv4 } from 'node:net';
import {
  fail,
  worstOf,
  pass,
  skipped,
  warn,
  type Check,
  type CheckResult,
  type DoctorContext,
} from './check.js';
import { SET_EGRESS_IP } from './identity.js';
import { reversed, type DnsLookup, type DoctorResolver } from './names.js';

/** Every list contains the first of these and none contains the second (RFC 5782 §5). */
interface TestPoints {
  listed: string;
  notListed: string;
}

interface DnsList {
  zone: string;
  of: 'address' | 'domain';
  /** Whether many mail servers use the list. */
  isWidelyUsed: boolean;
  ipv6: boolean;
  lookUp: string;
}

const LISTS: readonly DnsList[] = [
  {
    zone: 'zen.spamhaus.org',
    of: 'address',
    isWidelyUsed: true,
    ipv6: true,
    lookUp: 'https://check.spamhaus.org/',
  },
  {
    zone: 'bl.spamcop.net',
    of: 'address',
    isWidelyUsed: false,
    ipv6: false,
    lookUp: 'https://www.spamcop.net/bl.shtml',
  },
  {
    zone: 'dbl.spamhaus.org',
    of: 'domain',
    isWidelyUsed: true,
    ipv6: false,
    lookUp: 'https://check.spamhaus.org/',
  },
];

const TEST_POINTS: Readonly<Record<DnsList['of'], TestPoints>> = {
  address: { listed: reversed('127.0.0.2'), notListed: reversed('127.0.0.1') },
  domain: { listed: 'test', notListed: 'invalid' },
};

/** Spamhaus error codes: typing error, public resolver, too many queries. */
const NOT_SERVED = /^127\.255\.255\.\d+$/;
/** Entries of a list; another address comes from a resolver that rewrites answers. */
const ENTRY = /^127\./;
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
  run: async (context) => {
    const { names, publicAddresses } = context;
    const domains = domainsOf(context);
    const queried = LISTS.flatMap((list) => {
      if (list.of === 'domain') return domains.map((domain) => listing(names, list, domain, domain));
      return publicAddresses
        .filter((ip) => list.ipv6 || isIPv4(ip))
        .map((ip) => listing(names, list, ip, reversed(ip)));
    });
    const results = await Promise.all(queried);
    if (publicAddresses.length === 0)
      results.unshift(skipped('the public address cannot be determined from here', SET_EGRESS_IP));
    return worstOf(results);
  },
};

/** The names that servers see of an egress: that of EHLO, and the domain of the sender. */
function domainsOf({ egress: { heloName, mailFrom } }: DoctorContext): string[] {
  const sender = mailFrom.slice(mailFrom.lastIndexOf('@') + 1);
  const domains = [heloName, sender].map((name) => name.toLowerCase());
  return [...new Set(domains)].filter((name) => /^[a-z0-9.-]+\.[a-z][a-z0-9-]*$/.test(name));
}

async function listing(
  names: DoctorResolver,
  list: DnsList,
  subject: string,
  label: string,
): Promise<CheckResult> {
  const { zone, lookUp, isWidelyUsed } = list;
  const { listed, notListed } = TEST_POINTS[list.of];
  const [lookup, control, absent] = await Promise.all(
    [label, listed, notListed].map((name) => names.ipv4(`${name}.${zone}`)) as [
      Promise<DnsLookup<string>>,
      Promise<DnsLookup<string>>,
      Promise<DnsLookup<string>>,
    ],
  );
  const unusable = unusableResult(list, subject, [lookup, control, absent]);
  if (unusable !== null) return unusable;
  if (lookup.kind !== 'records') return pass(`${subject} is not on ${zone}`);

  const found = `${subject} is on ${zone} (${lookup.records.join(', ')})`;
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

/** Why nothing is known from a list; null: it answers as a list does. */
function unusableResult(
  { zone, lookUp }: DnsList,
  subject: string,
  [lookup, control, absent]: readonly [DnsLookup<string>, DnsLookup<string>, DnsLookup<string>],
): CheckResult | null {
  const orLookUp = `look ${subject} up at ${lookUp}`;
  const codes = [lookup, control, absent].flatMap((answer) =>
    answer.kind === 'records' ? answer.records : [],
  );
  if (codes.some((code) => NOT_SERVED.test(code)))
    return skipped(
      `${zone} cannot be queried through this resolver: it refuses it (${codes.find((code) => NOT_SERVED.test(code))})`,
      `it serves no public resolvers: run one of your own and name it in DNS_SERVERS, or ${orLookUp}`,
    );
  for (const answer of [control, absent, lookup])
    if (answer.kind === 'error') return skipped(`${zone} did not respond (${answer.code})`, orLookUp);
  if (control.kind !== 'records')
    return skipped(
      `${zone} cannot be queried through this resolver: its test entry is missing`,
      `the list has closed, or the resolver hides it: run a resolver of your own and name it in DNS_SERVERS, or ${orLookUp}`,
    );
  if (absent.kind === 'records' || codes.some((code) => !ENTRY.test(code)))
    return skipped(
      `${zone} is not usable: it answers as if every name were listed`,
      `it is out of service, or the resolver answers for names that do not exist: see the line about the resolver, or ${orLookUp}`,
    );
  return null;
}
