import { TeamBreaker, WINDOW_MS, type Pause } from './team-breaker.js';
import { greatest } from '../../kernel/long-lists.js';

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
  /** Fewer suffice for a team without a success, when other teams were rejected too. */
  confirmed: {
    own: number;
    /** Number of other teams that were rejected, … */
    teams: number;
    /** … with this many rejections each. */
    each: number;
    /** Subjects of all these teams together. */
    subjects: number;
  } | null;
}

const RULES: Readonly<Record<BreakerKind, Rule>> = {
  host: { own: 3, confirmed: { own: 1, teams: 1, each: 3, subjects: 0 } },
  domain: { own: 3, confirmed: { own: 1, teams: 1, each: 3, subjects: 0 } },
  provider: { own: 6, confirmed: { own: 2, teams: 2, each: 2, subjects: 6 } },
  // Unrelated providers or domains. Somebody with eight such domains affects one team only.
  egress: { own: 8, confirmed: null },
};

/** Share of rejected teams among those with recent results, from which the rejections are believed to be of all. */
const REJECTED_TEAMS = 0.8;
/** A team with fewer does not confirm that a scope is rejected for all. */
const MIN_REJECTIONS = 3;
/** Teams whose subjects are counted together. */
const MAX_COUNTED = 20;

/** The latest result of a team. */
interface Vote {
  atMs: number;
  /** The rejected subjects; null: the team had a success. */
  rejected: readonly string[] | null;
}

/** The results of all teams at one host, domain, provider or egress. */
export class Scope {
  private readonly breakers = new Map<string, TeamBreaker>();
  /** One per team, oldest first, so that adding one takes constant time. */
  private readonly votes = new Map<string, Vote>();
  private rejectedTeams = 0;
  /** Teams whose breaker was opened and not closed since. */
  private readonly opened = new Set<string>();

  constructor(readonly name: ScopeName) {}

  get kind(): BreakerKind {
    return this.name.kind;
  }

  get teams(): number {
    return this.breakers.size;
  }

  breakerOf(team: string): TeamBreaker | undefined {
    return this.breakers.get(team);
  }

  add(team: string): void {
    if (!this.breakers.has(team)) this.breakers.set(team, new TeamBreaker());
  }

  remove(team: string): void {
    this.breakers.delete(team);
    this.opened.delete(team);
    this.removeVote(team);
  }

  isOpenFor(team: string, nowMs: number): boolean {
    return this.breakers.get(team)?.isOpen(nowMs) ?? false;
  }

  isOpenForAnyTeam(nowMs: number): boolean {
    for (const team of this.opened) if (this.isOpenFor(team, nowMs)) return true;
    return false;
  }

  /**
   * Whether servers reject the egress itself, and not only what one team sends through it: it is paused,
   * and rejects at least four of five teams with recent results, two or more. If only one team has used
   * it, that team decides.
   */
  isOpenForAll(nowMs: number): boolean {
    if (!this.isOpenForAnyTeam(nowMs)) return false;
    if (this.breakers.size === 1) return true;
    let rejected = 0;
    let succeeded = 0;
    for (const breaker of this.breakers.values()) {
      if (breaker.countOf(nowMs) >= MIN_REJECTIONS || breaker.isOpen(nowMs)) rejected += 1;
      else if (breaker.hasSucceeded(nowMs)) succeeded += 1;
    }
    return rejected > 1 && areMostlyRejected(rejected, succeeded);
  }

  /** How long the longest pause of any team lasts. */
  remainingMs(nowMs: number): number {
    const ends = [...this.opened].map((team) => this.pauseOf(team)?.untilMs ?? nowMs);
    return greatest(ends, nowMs) - nowMs;
  }

  pauseOf(team: string): Pause | null {
    return this.breakers.get(team)?.currentPause ?? null;
  }

  /** A pause of the team in another process. */
  adoptPause(team: string, pause: Pause): void {
    this.breakers.get(team)?.adopt(pause);
    this.opened.add(team);
  }

  /** Whether rejections are known that a success of the team would count against. */
  isRejecting(team: string, nowMs: number): boolean {
    return this.rejectedTeams > 0 || this.breakerOf(team)?.isIdle(nowMs) === false;
  }

  succeeded(team: string, nowMs: number): void {
    const breaker = this.breakers.get(team);
    // Some servers still accept an egress that most reject, so only the half-open probe ends its pause.
    if (breaker === undefined || (this.kind === 'egress' && breaker.isOpen(nowMs) && !breaker.isHalfOpen))
      return;
    breaker.succeeded(nowMs);
    if (breaker.currentPause === null) this.opened.delete(team);
    this.vote(team, null, nowMs);
  }

  /** @param isOfSender the rejection concerns us, and would concern other teams too. */
  rejected(team: string, subject: string, isOfSender: boolean, nowMs: number): void {
    const breaker = this.breakers.get(team);
    if (breaker === undefined) return;
    breaker.rejected(subject, { isOfSender, atMs: nowMs });
    const { own, confirmed } = RULES[this.kind];
    const ofSender = breaker.rejectedOfSender(nowMs);
    if (confirmed !== null && ofSender.length >= confirmed.each) this.vote(team, ofSender, nowMs);
    else if (this.votes.get(team)?.rejected) this.removeVote(team);
    const mayOpen = breaker.isHalfOpen || breaker.countOf(nowMs) >= own;
    // What other teams received says nothing about a team that was itself answered.
    if (!mayOpen && (breaker.hasSucceeded(nowMs) || !this.isConfirmed(team, ofSender))) return;
    breaker.open(nowMs);
    this.opened.add(team);
  }

  /** Whether enough other teams were rejected too, and few had a success. */
  private isConfirmed(team: string, ofSender: readonly string[]): boolean {
    const { confirmed } = RULES[this.kind];
    if (confirmed === null || ofSender.length < confirmed.own) return false;
    const own = this.votes.get(team)?.rejected;
    const others = this.rejectedTeams - (own ? 1 : 0);
    const succeeded = this.votes.size - this.rejectedTeams - (own === null ? 1 : 0);
    if (others < confirmed.teams || !areMostlyRejected(others + 1, succeeded)) return false;
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

  private vote(team: string, rejected: Vote['rejected'], nowMs: number): void {
    this.removeVote(team);
    for (const [other, { atMs }] of this.votes) {
      if (atMs > nowMs - WINDOW_MS) break;
      this.removeVote(other);
    }
    this.votes.set(team, { atMs: nowMs, rejected });
    if (rejected !== null) this.rejectedTeams += 1;
  }

  private removeVote(team: string): void {
    if (this.votes.get(team)?.rejected) this.rejectedTeams -= 1;
    this.votes.delete(team);
  }
}

function areMostlyRejected(rejected: number, succeeded: number): boolean {
  return rejected >= REJECTED_TEAMS * (rejected + succeeded);
}
