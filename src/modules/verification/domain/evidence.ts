import type { Verdict } from '../../../kernel/verdict.js';
import type { AddressListing, ListEntry } from './address-lists.js';
import type { EmailAddress, SyntaxFault } from './email-address.js';
import type { ProbeResult } from './mailbox-prober.js';
import type { MailRoute } from './mx-resolver.js';

/** Whether a domain takes mail for addresses that do not exist. `unknown`: it was not asked, or gave no usable answer. */
export type CatchAll = 'yes' | 'no' | 'unknown';

/**
 * What the network said about an address. This, and never a verdict, is what is
 * kept: lists, rules and policy may be other ones when it is read again.
 */
export interface AddressFacts {
  route: MailRoute;
  /** null: the mail servers were not asked. */
  probe: ProbeResult | null;
  catchAll: CatchAll;
}

/** Why a domain is refused before the DNS is asked. */
export type DomainRefusal = 'special_use' | 'no_dot';

/** All that a verdict follows from. */
export type Evidence =
  | { kind: 'syntax'; fault: SyntaxFault }
  | { kind: 'blocked'; address: EmailAddress; listing: AddressListing; entry: ListEntry }
  | { kind: 'refused'; address: EmailAddress; listing: AddressListing; refusal: DomainRefusal }
  | { kind: 'asked'; address: EmailAddress; listing: AddressListing; facts: AddressFacts }
  /** The deadline passed before the DNS had answered. */
  | { kind: 'late'; address: EmailAddress; listing: AddressListing }
  /** A fault of our own kept us from asking. */
  | { kind: 'fault'; address: EmailAddress; listing: AddressListing };

/** What is known where only the DNS was asked. */
export function factsOfDns(route: MailRoute): AddressFacts {
  return { route, probe: null, catchAll: 'unknown' };
}

/**
 * What facts that were had before mean under the lists of today: a domain that is disposable by
 * now is judged by its DNS alone, as if its mail servers had not been asked.
 */
export function reread(address: EmailAddress, listing: AddressListing, facts: AddressFacts): Evidence {
  const { disposable } = listing;
  return { kind: 'asked', address, listing, facts: disposable === null ? facts : factsOfDns(facts.route) };
}

/** A verdict without the particulars of one call. */
export type Judgement = Omit<Verdict, 'email' | 'verifiedAt' | 'cached' | 'ageSeconds' | 'durationMs'>;
