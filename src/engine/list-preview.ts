import type { ListWarning } from '../kernel/list-files/list-warnings.js';

/** Domains that a preview looks up. */
export const MAX_DOMAINS = 2_000;
const MAX_PROVIDERS = 10;
/**
 * Seconds that one recipient takes of a session. Servers answer in a tenth of a second; a server that is far away, and
 * new sessions, take up to a second.
 */
const SECONDS_PER_ADDRESS = { low: 0.1, high: 1 };
/** Recipients per second of one process at all servers together. */
const ADDRESSES_PER_SECOND = { low: 200, high: 20 };

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
  /** Of these domains, the largest first. */
  providers: { name: string; addresses: number }[];
  /** Units. */
  maxCharge: number;
  etaSeconds: { low: number; high: number };
  warnings: ListWarning[];
}

/** An address at sight. */
export interface AddressAtSight {
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
export interface DomainAtSight {
  isDead: boolean;
  /** null: not known. */
  provider: string | null;
  /** Sessions that its servers allow at a time; null: not known. */
  connections: number | null;
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

  add(address: AddressAtSight): void {
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

  /** The domains with most addresses. */
  largestDomains(): string[] {
    this.forget(MAX_DOMAINS);
    return [...this.domains.keys()];
  }

  /** @param rows with an address. @param pays whether units are charged. */
  preview(
    rows: { total: number; empty: number },
    found: ReadonlyMap<string, DomainAtSight>,
    pays: boolean,
  ): ListPreview {
    const { unique, blocked, open, ...counts } = this.sums;
    const providers = new Map<string, DomainCount & { connections: number | null }>();
    let deadDomains = 0;
    let openDead = 0;
    for (const [name, { isDead, provider, connections }] of found) {
      const count = this.domains.get(name);
      if (count === undefined) continue;
      if (isDead) {
        deadDomains++;
        openDead += count.open;
      }
      if (isDead || provider === null) continue;
      const sum = providers.get(provider) ?? { addresses: 0, open: 0, connections };
      sum.addresses += count.addresses;
      sum.open += count.open;
      providers.set(provider, sum);
    }
    const largest = [...providers].sort(
      ([a, one], [b, two]) => two.addresses - one.addresses || (a < b ? -1 : 1),
    );
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
      providers: largest.slice(0, MAX_PROVIDERS).map(([name, { addresses }]) => ({ name, addresses })),
      maxCharge: pays ? unique - blocked : 0,
      etaSeconds: etaOf(pays ? open - openDead : 0, [...providers.values()]),
      warnings: this.warnings,
    };
  }

  /** Keeps only so many of the largest domains. */
  private forget(left: number): void {
    if (this.domains.size <= left) return;
    const largest = [...this.domains]
      .sort(([, one], [, two]) => two.addresses - one.addresses)
      .slice(0, left);
    this.domains.clear();
    for (const [name, count] of largest) this.domains.set(name, count);
  }
}

/** The slowest provider decides, or the process if the addresses have many servers. */
function etaOf(
  open: number,
  providers: readonly { open: number; connections: number | null }[],
): { low: number; high: number } {
  const seconds = (bound: 'low' | 'high') => {
    const ofProviders = providers.map(({ open: waiting, connections }) =>
      open === 0 ? 0 : (waiting * SECONDS_PER_ADDRESS[bound]) / (connections ?? 1),
    );
    return Math.ceil(Math.max(1, open / ADDRESSES_PER_SECOND[bound], ...ofProviders));
  };
  return { low: seconds('low'), high: seconds('high') };
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
