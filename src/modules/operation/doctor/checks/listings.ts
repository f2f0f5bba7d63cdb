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
import { found, remedy } from '../domain/sentences.js';
import { SET_PUBLIC_ADDRESS } from './identity.js';
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
      results.unshift(skipped(found('public_address_unknown', {}), SET_PUBLIC_ADDRESS));
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
  const { zone, lookUp: url, isWidelyUsed } = list;
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
  if (lookup.kind !== 'records') return pass(found('not_listed', { subject, list: zone }));

  const listedAs = found('listed', { subject, list: zone, codes: lookup.records.join(', ') });
  if (!isWidelyUsed) return warn(listedAs, remedy('wait_for_removal', { url }));
  const byPolicy = lookup.records.every((code) => POLICY_LISTED.includes(code));
  return fail(listedAs, remedy(byPolicy ? 'request_removal' : 'remove_cause', { url }));
}

/** Why nothing is known from a list; null: it answers as a list does. */
function unusableResult(
  { zone: list, lookUp: url }: DnsList,
  subject: string,
  [lookup, control, absent]: readonly [DnsLookup<string>, DnsLookup<string>, DnsLookup<string>],
): CheckResult | null {
  const codes = [lookup, control, absent].flatMap((answer) =>
    answer.kind === 'records' ? answer.records : [],
  );
  const refusal = codes.find((code) => NOT_SERVED.test(code));
  if (refusal !== undefined)
    return skipped(
      found('list_refuses_resolver', { list, codes: refusal }),
      remedy('own_resolver_for_list', { subject, url }),
    );
  for (const answer of [control, absent, lookup])
    if (answer.kind === 'error')
      return skipped(found('list_silent', { list, error: answer.code }), remedy('look_up', { subject, url }));
  if (control.kind !== 'records')
    return skipped(found('list_without_test', { list }), remedy('list_closed', { subject, url }));
  if (absent.kind === 'records' || codes.some((code) => !ENTRY.test(code)))
    return skipped(found('list_lists_all', { list }), remedy('list_broken', { subject, url }));
  return null;
}
