import { TenantBreaker, WINDOW_MS, type Pause } from './tenant-breaker.js';

/** The subject of a breaker: an MX host, a domain, a provider, or an egress as a whole. */
export const BREAKER_KINDS = ['domain', 'host', 'provider', 'egress'] as const;
export type BreakerKind = (typeof BREAKER_KINDS)[number];

/** A host, domain or provider, seen through one egress route. */
export interface ScopeName {
  egress: string;
  kind: BreakerKind;
  name: string;
}

/** Rejections in a row, each about another subject, that open a breaker. */
interface Rule {
  /** Own rejections that suffice. */
  own: number;
  /** Fewer suffice for a tenant without a success, when other tenants were rejected too. */
  confirmed: {
    own: number;
    /** Number of other tenants that were rejected, … */
    tenants: number;
    /** … with this many rejections each. */
    each: number;
    /** Subjects of all these tenants together. */
    subjects: number;
  } | null;
}

const RULES: Readonly<Record<BreakerKind, Rule>> = {
  host: { own: 3, confirmed: { own: 1, tenants: 1, each: 3, subjects: 0 } },
  domain: { own: 3, confirmed: { own: 1, tenants: 1, each: 3, subjects: 0 } },
  provider: { own: 6, confirmed: { own: 2, tenants: 2, each: 2, subjects: 6 } },
  // Unrelated providers or domains. Somebody with eight such domains affects one tenant only.
  egress: { own: 8, confirmed: null },
};

/** Share of rejected tenants among those with recent results, from which the rejections are believed to be of all. */
const REJECTED_TENANTS = 0.8;
/** A tenant with fewer does not confirm that a scope is rejected for all. */
const MIN_REJECTIONS = 3;
/** Tenants whose subjects are counted together. */
const MAX_COUNTED = 20;

/** The latest result of a tenant. */
interface Vote {
  atMs: number;
  /** The rejected subjects; null: the tenant had a success. */
  rejected: readonly string[] | null;
}

/** The results of all tenants at one host, domain, provider or egress. */
export class Scope {
  private readonly breakers = new Map<string, TenantBreaker>();
  /** One per tenant, oldest first, so that adding one takes constant time. */
  private readonly votes = new Map<string, Vote>();
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
      if (breaker.countOf(nowMs) >= MIN_REJECTIONS || breaker.isOpen(nowMs)) rejected += 1;
      else if (breaker.hasSucceeded(nowMs)) succeeded += 1;
    }
    return rejected > 1 && areMostlyRejected(rejected, succeeded);
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

  /** Whether rejections are known that a success of the tenant would count against. */
  isRejecting(tenant: string, nowMs: number): boolean {
    return this.rejectedTenants > 0 || this.breakerOf(tenant)?.isIdle(nowMs) === false;
  }

  succeeded(tenant: string, nowMs: number): void {
    const breaker = this.breakers.get(tenant);
    // Some servers still accept an egress that most reject, so only the half-open probe ends its pause.
    if (breaker === undefined || (this.kind === 'egress' && breaker.isOpen(nowMs) && !breaker.isHalfOpen))
      return;
    breaker.succeeded(nowMs);
    if (breaker.currentPause === null) this.opened.delete(tenant);
    this.vote(tenant, null, nowMs);
  }

  /** @param isOfSender the rejection concerns us, and would concern other tenants too. */
  rejected(tenant: string, subject: string, isOfSender: boolean, nowMs: number): void {
    const breaker = this.breakers.get(tenant);
    if (breaker === undefined) return;
    breaker.rejected(subject, { isOfSender, atMs: nowMs });
    const { own, confirmed } = RULES[this.kind];
    const ofSender = breaker.rejectedOfSender(nowMs);
    if (confirmed !== null && ofSender.length >= confirmed.each) this.vote(tenant, ofSender, nowMs);
    else if (this.votes.get(tenant)?.rejected) this.removeVote(tenant);
    const mayOpen = breaker.isHalfOpen || breaker.countOf(nowMs) >= own;
    // What other tenants received says nothing about a tenant that was itself answered.
    if (!mayOpen && (breaker.hasSucceeded(nowMs) || !this.isConfirmed(tenant, ofSender))) return;
    breaker.open(nowMs);
    this.opened.add(tenant);
  }

  /** Whether enough other tenants were rejected too, and few had a success. */
  private isConfirmed(tenant: string, ofSender: readonly string[]): boolean {
    const { confirmed } = RULES[this.kind];
    if (confirmed === null || ofSender.length < confirmed.own) return false;
    const own = this.votes.get(tenant)?.rejected;
    const others = this.rejectedTenants - (own ? 1 : 0);
    const succeeded = this.votes.size - this.rejectedTenants - (own === null ? 1 : 0);
    if (others < confirmed.tenants || !areMostlyRejected(others + 1, succeeded)) return false;
    return this.countSubjects(ofSender, confirmed.subjects) >= confirmed.subjects;
  }

  private countSubjects(ofSender: readonly string[], enough: number): number {
    const subjects = new Set(ofSender);
    let counted = 0;
    for (const { rejected } of this.votes.values()) {
      if (subjects.size >= enough || counted >= MAX_COUNTED) break;
      if (rejected === null) continue;
      counted += 1;
      for (const subject of rejected) subjects.add(subject);
    }
    return subjects.size;
  }

  private vote(tenant: string, rejected: Vote['rejected'], nowMs: number): void {
    this.removeVote(tenant);
    for (const [other, { atMs }] of this.votes) {
      if (atMs > nowMs - WINDOW_MS) break;
      this.removeVote(other);
    }
    this.votes.set(tenant, { atMs: nowMs, rejected });
    if (rejected !== null) this.rejectedTenants += 1;
  }

  private removeVote(tenant: string): void {
    if (this.votes.get(tenant)?.rejected) this.rejectedTenants -= 1;
    this.votes.delete(tenant);
  }
}

function areMostlyRejected(rejected: number, succeeded: number): boolean {
  return rejected >= REJECTED_TENANTS * (rejected + succeeded);
}
