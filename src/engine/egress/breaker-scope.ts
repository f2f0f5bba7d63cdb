import { isMostlyRejected, TenantBreaker, WINDOW_MS, type Pause, type Tally } from './tenant-breaker.js';

/** The subject of a breaker: an MX host, a domain, a provider, or an egress as a whole. */
export const BREAKER_KINDS = ['domain', 'host', 'provider', 'egress'] as const;
export type BreakerKind = (typeof BREAKER_KINDS)[number];

/** A host, domain or provider, seen through one egress route. */
export interface ScopeName {
  egress: string;
  kind: BreakerKind;
  name: string;
}

/** How many rejections open a breaker, each about another subject, while most results are rejections. */
interface Rule {
  /** Own rejections that suffice without other tenants. */
  ownOnly: number;
  /** Own rejections when other tenants were rejected too. */
  ownConfirmed: number;
  /** Number of other tenants that were rejected, … */
  otherTenants: number;
  /** … with this many rejections each. */
  perOtherTenant: number;
  /** Subjects of all these tenants together. */
  totalSubjects: number;
}

const RULES: Readonly<Record<BreakerKind, Rule>> = {
  host: { ownOnly: 3, ownConfirmed: 1, otherTenants: 1, perOtherTenant: 3, totalSubjects: 0 },
  domain: { ownOnly: 3, ownConfirmed: 1, otherTenants: 1, perOtherTenant: 3, totalSubjects: 0 },
  // One tenant's results never suffice for a provider.
  provider: { ownOnly: Infinity, ownConfirmed: 2, otherTenants: 2, perOtherTenant: 2, totalSubjects: 6 },
  // Eight unrelated providers or domains reject it. Somebody with eight such domains affects one tenant only.
  egress: {
    ownOnly: 8,
    ownConfirmed: Infinity,
    otherTenants: Infinity,
    perOtherTenant: Infinity,
    totalSubjects: 0,
  },
};

/** A tenant with fewer does not confirm that an egress is rejected for all. */
const MIN_REJECTIONS = 3;

/** A tenant's latest outcomes, summarized. */
interface Vote {
  atMs: number;
  /** The rejected subjects; null: the tenant had successes. */
  rejected: readonly string[] | null;
}

/** The results of all tenants at one host, domain or provider. */
export class Scope {
  private readonly breakers = new Map<string, TenantBreaker>();
  /** One per tenant, oldest first, so that adding one takes constant time. */
  private readonly votes = new Map<string, Vote>();
  /** Subject → number of votes that contain it. */
  private readonly subjects = new Map<string, number>();
  private rejectedTenants = 0;
  /** Tenants whose breaker was opened and not closed since. */
  private readonly opened = new Set<string>();

  constructor(readonly name: ScopeName) {}

  get kind(): BreakerKind {
    return this.name.kind;
  }

  get tenants(): number {
    return this.breakers.size;
  }

  breakerOf(tenant: string): TenantBreaker | undefined {
    return this.breakers.get(tenant);
  }

  add(tenant: string): void {
    if (!this.breakers.has(tenant)) this.breakers.set(tenant, new TenantBreaker());
  }

  remove(tenant: string): void {
    this.breakers.delete(tenant);
    this.opened.delete(tenant);
    this.removeVote(tenant);
  }

  isOpenFor(tenant: string, nowMs: number): boolean {
    return this.breakers.get(tenant)?.isOpen(nowMs) ?? false;
  }

  isOpenForAnyTenant(nowMs: number): boolean {
    for (const tenant of this.opened) if (this.isOpenFor(tenant, nowMs)) return true;
    return false;
  }

  /**
   * Whether servers reject the egress itself, and not only what one tenant sends through it: it is paused,
   * and rejects at least four of five tenants with recent results, two or more. If only one tenant has used
   * it, that tenant decides.
   */
  isOpenForAll(nowMs: number): boolean {
    if (!this.isOpenForAnyTenant(nowMs)) return false;
    if (this.breakers.size === 1) return true;
    let rejected = 0;
    let succeeded = 0;
    for (const breaker of this.breakers.values()) {
      const { rejections, successes } = breaker.tally(nowMs);
      const isRejected = rejections >= MIN_REJECTIONS && isMostlyRejected(rejections, successes);
      if (isRejected || breaker.isOpen(nowMs)) rejected += 1;
      else if (successes > 0) succeeded += 1;
    }
    return rejected > 1 && isMostlyRejected(rejected, succeeded);
  }

  /** How long the longest pause of any tenant lasts. */
  remainingMs(nowMs: number): number {
    const ends = [...this.opened].map((tenant) => this.pauseOf(tenant)?.untilMs ?? nowMs);
    return Math.max(nowMs, ...ends) - nowMs;
  }

  pauseOf(tenant: string): Pause | null {
    return this.breakers.get(tenant)?.currentPause ?? null;
  }

  /** A pause of the tenant in another process. */
  adoptPause(tenant: string, pause: Pause): void {
    this.breakers.get(tenant)?.adopt(pause);
    this.opened.add(tenant);
  }

  /** Whether a rejection of the tenant is known that a success would count against. */
  isRejecting(tenant: string, nowMs: number): boolean {
    return (
      this.opened.size > 0 || this.rejectedTenants > 0 || this.breakerOf(tenant)?.isIdle(nowMs) === false
    );
  }

  succeeded(tenant: string, subject: string, nowMs: number): void {
    const breaker = this.breakers.get(tenant);
    // Some servers still accept an egress that most reject, so only the half-open probe ends its pause.
    if (breaker === undefined || (this.kind === 'egress' && breaker.isOpen(nowMs) && !breaker.isHalfOpen))
      return;
    breaker.succeeded(subject, nowMs);
    // A success of one tenant does not end the pause for others: the domain may belong to that tenant.
    if (this.kind === 'egress') this.opened.delete(tenant);
    else this.closeAll();
    this.vote(tenant, breaker.tally(nowMs), nowMs);
  }

  private closeAll(): void {
    for (const other of this.opened) this.breakers.get(other)?.close();
    this.opened.clear();
  }

  /** @param isOfSender the rejection concerns us, and would concern other tenants too. */
  rejected(tenant: string, subject: string, isOfSender: boolean, nowMs: number): void {
    const breaker = this.breakers.get(tenant);
    if (breaker === undefined) return;
    breaker.rejected(subject, isOfSender, nowMs);
    const own = breaker.tally(nowMs);
    this.vote(tenant, own, nowMs);
    const halfOpenFailed = breaker.isHalfOpen && RULES[this.kind].ownOnly < Infinity;
    if (halfOpenFailed || this.shouldOpen(tenant, own)) {
      breaker.open(nowMs);
      this.opened.add(tenant);
    } else if (breaker.isHalfOpen) {
      breaker.close();
      this.opened.delete(tenant);
    }
  }

  /** Whether the tenant's rejections, with those of other tenants, open its breaker. */
  private shouldOpen(tenant: string, own: Tally): boolean {
    const rule = RULES[this.kind];
    if (!isMostlyRejected(own.rejections, own.successes)) return false;
    if (own.rejections >= rule.ownOnly) return true;
    if (own.rejectedOfSender.length < rule.ownConfirmed) return false;
    const ownVote = this.votes.get(tenant);
    const others = this.rejectedTenants - (ownVote?.rejected ? 1 : 0);
    const succeeded = this.votes.size - this.rejectedTenants - (ownVote?.rejected === null ? 1 : 0);
    const subjects =
      this.subjects.size + own.rejectedOfSender.filter((subject) => !this.subjects.has(subject)).length;
    return (
      others >= rule.otherTenants && isMostlyRejected(others + 1, succeeded) && subjects >= rule.totalSubjects
    );
  }

  private vote(tenant: string, { rejections, successes, rejectedOfSender }: Tally, nowMs: number): void {
    this.removeVote(tenant);
    this.removeExpiredVotes(nowMs);
    const isRejected =
      rejectedOfSender.length >= RULES[this.kind].perOtherTenant && isMostlyRejected(rejections, successes);
    if (!isRejected && successes === 0) return;
    this.votes.set(tenant, { atMs: nowMs, rejected: isRejected ? rejectedOfSender : null });
    if (!isRejected) return;
    this.rejectedTenants += 1;
    for (const subject of rejectedOfSender) this.subjects.set(subject, (this.subjects.get(subject) ?? 0) + 1);
  }

  private removeExpiredVotes(nowMs: number): void {
    for (const [tenant, { atMs }] of this.votes) {
      if (atMs > nowMs - WINDOW_MS) return;
      this.removeVote(tenant);
    }
  }

  private removeVote(tenant: string): void {
    const rejected = this.votes.get(tenant)?.rejected;
    this.votes.delete(tenant);
    if (!rejected) return;
    this.rejectedTenants -= 1;
    for (const subject of rejected) {
      const remaining = (this.subjects.get(subject) ?? 0) - 1;
      if (remaining > 0) this.subjects.set(subject, remaining);
      else this.subjects.delete(subject);
    }
  }
}
