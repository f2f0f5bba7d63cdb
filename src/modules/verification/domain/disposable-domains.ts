/** An entry of a list that an address met. */
export interface ListEntry {
  /** The entry as the list spells it: a domain, which covers its subdomains, or a local part. */
  pattern: string;
  /** Who says so; a package is named with its version. */
  source: string;
}

/** What a team, or the operator, says about a domain; it goes before what the lists say. */
export interface DisposableOverride {
  verdict: 'disposable' | 'not_disposable';
  /** The domain that it was said of, which covers its subdomains. */
  pattern: string;
  source: 'team' | 'operator';
}

/** Port: what the lists of domains know about one. Domains are A-labels, lower case, no final dot. */
export abstract class DomainLists {
  /** The service whose mailboxes at this domain (or the nearest one above it) are made to be thrown away. */
  abstract disposable(domain: string): ListEntry | null;

  /** The service whose addresses at this domain (or the nearest one above it) forward to a mailbox they hide. */
  abstract privacyRelay(domain: string): ListEntry | null;
}
