/** A list entry that matches an address. */
export interface ListEntry {
  /** The entry as listed: a domain, which includes its subdomains, or a local part. */
  pattern: string;
  /** The name of the list; for a package, with its version. */
  source: string;
}

/** A team's or operator's decision about a domain; it takes precedence over the lists. */
export interface DisposableOverride {
  verdict: 'disposable' | 'not_disposable';
  /** The domain of the override; includes its subdomains. */
  pattern: string;
  source: 'team' | 'operator';
}

/** Port: lookups in the lists of disposable domains. Domains are A-labels, lower case, no final dot. */
export abstract class DomainLists {
  /** The disposable service at this domain or its nearest parent. */
  abstract disposable(domain: string): ListEntry | null;
}
