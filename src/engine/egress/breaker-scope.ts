import { isMostlyRejected, TeamBreaker, WINDOW_MS, type Pause, type Tally } from './team-breaker.js';

/** The subject of a breaker: an MX host, a domain, a provider, or an egress as a whole. */
export const BREAKER_KINDS = ['domain', 'host', 'provider', 'egress'] as const;
export type BreakerKind = (typeof BREAKER_KINDS)[number];

/** A host, domain or provider, seen through one egress route. */
export interface ScopeName {
  egress: string;
  kind: BreakerKind;
  name: string;
}

/** How many refusals open a breaker, each about another subject, while most results are refusals. */
interface Rule {
  /** Own refusals that suffice without other teams. */
  ownOnly: number;
  /** Own refusals when other teams were refused too. */
  ownConfirmed: number;
  /** Number of other teams that were refused, … */
  otherTeams: number;
  /** … with this many refusals each. */
  perOtherTeam: number;
  /** Subjects of all these teams together. */
  totalSubjects: number;
}

const RULES: Readonly<Record<BreakerKind, Rule>> = {
  host: { ownOnly: 3, ownConfirmed: 1, otherTeams: 1, perOtherTeam: 3, totalSubjects: 0 },
  domain: { ownOnly: 3, ownConfirmed: 1, otherTeams: 1, perOtherTeam: 3, totalSubjects: 0 },
  // One team's results never suffice for a provider.
  provider: { ownOnly: Infinity, ownConfirmed: 2, otherTeams: 2, perOtherTeam: 2, totalSubjects: 6 },
  // Eight unrelated providers or domains refuse it. Somebody with eight such domains can affect one team only.
  egress: {
    ownOnly: 8,
    ownConfirmed: Infinity,
    otherTeams: Infinity,
    perOtherTeam: Infinity,
    totalSubjects: 0,
  },
};

/** A team with fewer does not confirm that an egress is refused for all. */
const MIN_REFUSALS = 3;

/** A team's latest outcomes, summarized. */
interface Vote {
  atMs: number;
  /** The refused subjects; null: the team had successes. */
  rejected: readonly string[] | null;
}

/** The results of all teams at one host, domain or provider. */
export class Scope {
  private readonly breakers = new Map<string, TeamBreaker>();
  /** One per team, oldest first, so that adding one takes constant time. */
  private readonly votes = new Map<string, Vote>();
  /** Subject → number of votes that contain it. */
  private readonly subjects = new Map<string, number>();
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
   * Whether servers refuse the egress itself, and not only what one team sends through it: it is paused,
   * and refuses at least four of five teams with recent results, two or more. If only one team has used
   * it, that team decides.
   */
  isOpenForAll(nowMs: number): boolean {
    if (!this.isOpenForAnyTeam(nowMs)) return false;
    if (this.breakers.size === 1) return true;
    let rejected = 0;
    let succeeded = 0;
    for (const breaker of this.breakers.values()) {
      const { rejections, successes } = breaker.tally(nowMs);
      const isRejected = rejections >= MIN_REFUSALS && isMostlyRejected(rejections, successes);
      if (isRejected || breaker.isOpen(nowMs)) rejected += 1;
      else if (successes > 0) succeeded += 1;
    }
    return rejected > 1 && isMostlyRejected(rejected, succeeded);
  }

  /** How long the longest pause of any team lasts. */
  remainingMs(nowMs: number): number {
    const ends = [...this.opened].map((team) => this.pauseOf(team)?.untilMs ?? nowMs);
    return Math.max(nowMs, ...ends) - nowMs;
  }

  pauseOf(team: string): Pause | null {
    return this.breakers.get(team)?.currentPause ?? null;
  }

  /** A pause of the team in another process. */
  adoptPause(team: string, pause: Pause): void {
    this.breakers.get(team)?.adopt(pause);
    this.opened.add(team);
  }

  /** Whether a refusal of the team is known that a success would count against. */
  isRejecting(team: string, nowMs: number): boolean {
    return this.opened.size > 0 || this.rejectedTeams > 0 || this.breakerOf(team)?.isIdle(nowMs) === false;
  }

  succeeded(team: string, subject: string, nowMs: number): void {
    const breaker = this.breakers.get(team);
    // Some servers still accept an egress that most refuse, so only the trial ends its pause.
    if (breaker === undefined || (this.kind === 'egress' && breaker.isOpen(nowMs) && !breaker.isHalfOpen))
      return;
    breaker.succeeded(subject, nowMs);
    // A success of one team does not end the pause for others: the domain may belong to that team.
    if (this.kind === 'egress') this.opened.delete(team);
    else this.closeAll();
    this.vote(team, breaker.tally(nowMs), nowMs);
  }

  private closeAll(): void {
    for (const other of this.opened) this.breakers.get(other)?.close();
    this.opened.clear();
  }

  /** @param isOfSender the refusal concerns us, and would concern other teams too. */
  rejected(team: string, subject: string, isOfSender: boolean, nowMs: number): void {
    const breaker = this.breakers.get(team);
    if (breaker === undefined) return;
    breaker.rejected(subject, isOfSender, nowMs);
    const own = breaker.tally(nowMs);
    this.vote(team, own, nowMs);
    const trialFailed = breaker.isHalfOpen && RULES[this.kind].ownOnly < Infinity;
    if (trialFailed || this.shouldOpen(team, own)) {
      breaker.open(nowMs);
      this.opened.add(team);
    } else if (breaker.isHalfOpen) {
      breaker.close();
      this.opened.delete(team);
    }
  }

  /** Whether the team's refusals, with those of other teams, open its breaker. */
  private shouldOpen(team: string, own: Tally): boolean {
    const rule = RULES[this.kind];
    if (!isMostlyRejected(own.rejections, own.successes)) return false;
    if (own.rejections >= rule.ownOnly) return true;
    if (own.rejectedOfSender.length < rule.ownConfirmed) return false;
    const ownVote = this.votes.get(team);
    const others = this.rejectedTeams - (ownVote?.rejected ? 1 : 0);
    const succeeded = this.votes.size - this.rejectedTeams - (ownVote?.rejected === null ? 1 : 0);
    const subjects =
      this.subjects.size + own.rejectedOfSender.filter((subject) => !this.subjects.has(subject)).length;
    return (
      others >= rule.otherTeams && isMostlyRejected(others + 1, succeeded) && subjects >= rule.totalSubjects
    );
  }

  private vote(team: string, { rejections, successes, rejectedOfSender }: Tally, nowMs: number): void {
    this.removeVote(team);
    this.removeExpiredVotes(nowMs);
    const isRejected =
      rejectedOfSender.length >= RULES[this.kind].perOtherTeam && isMostlyRejected(rejections, successes);
    if (!isRejected && successes === 0) return;
    this.votes.set(team, { atMs: nowMs, rejected: isRejected ? rejectedOfSender : null });
    if (!isRejected) return;
    this.rejectedTeams += 1;
    for (const subject of rejectedOfSender) this.subjects.set(subject, (this.subjects.get(subject) ?? 0) + 1);
  }

  private removeExpiredVotes(nowMs: number): void {
    for (const [team, { atMs }] of this.votes) {
      if (atMs > nowMs - WINDOW_MS) return;
      this.removeVote(team);
    }
  }

  private removeVote(team: string): void {
    const rejected = this.votes.get(team)?.rejected;
    this.votes.delete(team);
    if (!rejected) return;
    this.rejectedTeams -= 1;
    for (const subject of rejected) {
      const remaining = (this.subjects.get(subject) ?? 0) - 1;
      if (remaining > 0) this.subjects.set(subject, remaining);
      else this.subjects.delete(subject);
    }
  }
}
