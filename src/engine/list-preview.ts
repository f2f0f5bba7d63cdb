import type { ProbeCapacity } from './egress/probe-capacity.js';
import { ListWork, type Bounds } from './list-work.js';
import type { ListWarning } from '../kernel/list-files/list-warnings.js';

/** Domains that a preview looks up. */
export const MAX_DOMAINS = 2_000;
const MAX_PROVIDERS = 10;
/** What is known of a list before it is started. */
export interface ListPreview {
  rows: number;
  /** Unique addresses; the counts below are of these. */
  unique: number;
  duplicates: number;
  /** Their answer is stored, or no server is asked. */
  stored: number;
  invalidSyntax: number;
  disposable: number;
  role: number;
  privacyRelay: number;
  /** Domains, of `MAX_DOMAINS` at most, that exist not or receive no mail. */
  deadDomains: number;
  /** At these domains. */
  deadAddresses: number;
  /** Of these domains, the largest first. */
  providers: { name: string; addresses: number }[];
  /** Units. */
  maxCharge: number;
  etaSeconds: Bounds;
  warnings: ListWarning[];
}

/** an overview of an address. */
export interface AddressOverview {
  /** null: it is no address. */
  domain: string | null;
  isDisposable: boolean;
  isRole: boolean;
  isPrivacyRelay: boolean;
  /** Its answer is stored. */
  isStored: boolean;
  /** The team does not send mail to its domain. */
  isBlocked: boolean;
}

/** What the DNS shows of a domain. */
export interface DomainOverview {
  isDead: boolean;
  /** null: not known. */
  provider: string | null;
  /** null: not known, or no server is asked. */
  capacity: ProbeCapacity | null;
}

/** What the time and the price of a list depend on, beside its addresses. */
export interface PreviewTerms {
  /** Units are charged, and servers are asked. */
  isLive: boolean;
  /** Seconds until a deferred address has its verdict; null: none is deferred. */
  deferral: Bounds | null;
}

interface DomainCount {
  addresses: number;
  /** Those whose servers must be asked. */
  open: number;
}

/** Counts of the addresses of a list, in JSON between parts of it. */
export class PreviewCounts {
  private constructor(
    private readonly sums: Sums,
    private readonly domains: Map<string, DomainCount>,
    readonly warnings: ListWarning[],
  ) {}

  static of(warnings: ListWarning[]): PreviewCounts {
    return new PreviewCounts({ ...NONE }, new Map(), warnings);
  }

  static from({ sums, domains, warnings }: StoredCounts): PreviewCounts {
    const counts = domains.map(([name, addresses, open]) => [name, { addresses, open }] as const);
    return new PreviewCounts(sums, new Map(counts), warnings);
  }

  toJSON(): StoredCounts {
    this.forget(MAX_DOMAINS);
    const domains = [...this.domains].map(
      ([name, { addresses, open }]) => [name, addresses, open] as [string, number, number],
    );
    return { sums: this.sums, domains, warnings: this.warnings };
  }

  add(address: AddressOverview): void {
    const { sums } = this;
    const { domain, isStored, isBlocked } = address;
    sums.unique++;
    if (isBlocked) sums.blocked++;
    if (isStored) sums.stored++;
    if (domain === null) {
      sums.invalidSyntax++;
      return;
    }
    if (address.isDisposable) sums.disposable++;
    if (address.isRole) sums.role++;
    if (address.isPrivacyRelay) sums.privacyRelay++;
    const count = this.domains.get(domain) ?? { addresses: 0, open: 0 };
    count.addresses++;
    if (!isStored && !isBlocked && !address.isDisposable) {
      count.open++;
      sums.open++;
    }
    this.domains.set(domain, count);
    // All addresses of a domain are neighbours, so a domain that is forgotten here is complete.
    if (this.domains.size > 2 * MAX_DOMAINS) this.forget(MAX_DOMAINS);
  }

  /** The domains with most addresses, the largest first. */
  largestDomains(): string[] {
    return this.largest()
      .slice(0, MAX_DOMAINS)
      .map(([name]) => name);
  }

  /** @param rows of the list; those without an address are empty. @param found the domains that were looked up. */
  preview(
    rows: { total: number; empty: number },
    found: ReadonlyMap<string, DomainOverview>,
    { isLive, deferral }: PreviewTerms,
  ): ListPreview {
    const { unique, blocked, open, ...counts } = this.sums;
    const providers = new Map<string, number>();
    const work = new ListWork(isLive ? open : 0);
    let deadDomains = 0;
    let deadAddresses = 0;
    for (const [name, { isDead, provider, capacity }] of found) {
      const count = this.domains.get(name);
      if (count === undefined) continue;
      if (isDead) {
        deadDomains++;
        deadAddresses += count.addresses;
        work.skip(count.open);
      }
      if (isDead || provider === null) continue;
      providers.set(provider, (providers.get(provider) ?? 0) + count.addresses);
      if (capacity !== null) work.add(provider, capacity, count.open);
    }
    const largest = [...providers].sort(([a, one], [b, two]) => two - one || (a < b ? -1 : 1));
    return {
      rows: rows.total,
      unique,
      duplicates: rows.total - rows.empty - unique,
      stored: counts.stored,
      invalidSyntax: counts.invalidSyntax,
      disposable: counts.disposable,
      role: counts.role,
      privacyRelay: counts.privacyRelay,
      deadDomains,
      deadAddresses,
      providers: largest.slice(0, MAX_PROVIDERS).map(([name, addresses]) => ({ name, addresses })),
      maxCharge: isLive ? unique - blocked : 0,
      etaSeconds: work.seconds(deferral),
      warnings: this.warnings,
    };
  }

  /** Keeps only so many of the largest domains. */
  private forget(left: number): void {
    if (this.domains.size <= left) return;
    const largest = this.largest().slice(0, left);
    this.domains.clear();
    for (const [name, count] of largest) this.domains.set(name, count);
  }

  private largest(): [string, DomainCount][] {
    return [...this.domains].sort(([, one], [, two]) => two.addresses - one.addresses);
  }
}

const NONE = {
  unique: 0,
  stored: 0,
  blocked: 0,
  invalidSyntax: 0,
  disposable: 0,
  role: 0,
  privacyRelay: 0,
  /** Addresses whose servers must be asked. */
  open: 0,
};
type Sums = typeof NONE;

export interface StoredCounts {
  sums: Sums;
  /** Name, addresses, and those that are open. */
  domains: [string, number, number][];
  warnings: ListWarning[];
}
