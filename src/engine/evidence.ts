import type { AddressHistory } from '../kernel/outcomes.js';
import type { TeamStatistics } from '../kernel/team-statistics.js';
import type { AddressListing, ListEntry } from './lists/address-lists.js';
import type { EmailAddress, AddressSyntaxError } from './address/email-address.js';
import type { ProbeOutcome } from './smtp/probe.js';
import type { Freshness, MailRoute } from './dns/mx-resolver.js';

/**
 * Whether a domain accepts mail for addresses that do not exist. `unknown`: not probed, or no usable
 * result.
 */
export type CatchAll = 'yes' | 'no' | 'unknown';

/**
 * The network results for an address. These are stored, and never a verdict: lists, rules and policy
 * may have changed when they are read again.
 */
export interface AddressFacts {
  route: MailRoute;
  /** null: mail servers were not probed. */
  probe: ProbeOutcome | null;
  catchAll: CatchAll;
}

/** The rule by which a domain is invalid without a DNS query: no public mail server can have the name. */
export type InvalidDomainRule = 'special_use' | 'no_dot';

/**
 * The input of a verdict: what was found out and when, what the team knows of mails to the address, and what
 * outcomes show about others. Without an age it was found out now.
 */
export type Evidence = Finding &
  Partial<Freshness> & { history?: AddressHistory; statistics?: TeamStatistics };

/**
 * `bounced`: a mail to the address has bounced for good, and no server is probed. `timed_out`: the deadline
 * passed before the response of the DNS. `rate_limited`: too many addresses of the domain were verified with
 * a publishable key.
 */
type Finding =
  | { kind: 'syntax'; error: AddressSyntaxError }
  | { kind: 'blocked'; address: EmailAddress; listing: AddressListing; entry: ListEntry }
  | { kind: 'invalid_domain'; address: EmailAddress; listing: AddressListing; rule: InvalidDomainRule }
  | { kind: 'probed'; address: EmailAddress; listing: AddressListing; facts: AddressFacts }
  | {
      kind: 'bounced' | 'timed_out' | 'rate_limited' | 'internal_error';
      address: EmailAddress;
      listing: AddressListing;
    };

export function factsOfDns(route: MailRoute): AddressFacts {
  return { route, probe: null, catchAll: 'unknown' };
}

/**
 * Applies the current lists to stored facts: for a domain that has become disposable, only the DNS
 * result counts, as if its mail servers had not been probed.
 */
export function evidenceFromFacts(
  address: EmailAddress,
  listing: AddressListing,
  facts: AddressFacts,
): Evidence {
  const { disposable } = listing;
  return { kind: 'probed', address, listing, facts: disposable === null ? facts : factsOfDns(facts.route) };
}
