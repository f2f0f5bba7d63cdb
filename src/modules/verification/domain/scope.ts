import { isMostly, TeamBreaker, WINDOW_MS, type Tally } from './team-breaker.js';

/** Whom a breaker is about: an MX host, a domain or a provider. */
export const BREAKER_KINDS = ['domain', 'host', 'provider'] as const;
export type BreakerKind = (typeof BREAKER_KINDS)[number];

/** How many refusals it takes, each about another subject, while refusals are the rule. */
interface Rule {
  /** Of the team itself, whatever others met. */
  alone: number;
  /** Of the team itself, where others met the same. */
  confirmed: number;
  /** Other teams that met the same, … */
  otherTeams: number;
  /** … each of them refused so often. */
  each: number;
  /** Subjects of all these teams together. */
  together: number;
}

const RULES: Readonly<Record<BreakerKind, Rule>> = {
  host: { alone: 3, confirmed: 1, otherTeams: 1, each: 3, together: 0 },
  domain: { alone: 3, confirmed: 1, otherTeams: 1, each: 3, together: 0 },
  // One team's questions never speak for a provider.
  provider: { alone: Infinity, confirmed: 2, otherTeams: 2, each: 2, together: 6 },
};

const SWEEP_EVERY_MS = 1_000;

/** What a team's latest outcomes come to. */
interface Vote {
  atMs: number;
  /** The subjects that were refused; null: the team was answered. */
  refused: readonly string[] | null;
}

/** What all teams have met at one host, domain or provider. */
export class Scope {
  private readonly breakers = new Map<string, TeamBreaker>();
  /** One of each team, in the order of their age, so that one more costs the same for any number of teams. */
  private readonly votes = new Map<string, Vote>();
  /** Subject → how many votes name it. */
  private readonly subjects = new Map<string, number>();
  private refusedTeams = 0;
  private sweepAtMs = -Infinity;
  /** The teams whose breaker was opened, and not closed since. */
  private readonly opened = new Set<string>();

  constructor(readonly kind: BreakerKind) {}

  get teams(): number {
    return this.breakers.size;
  }

  has(team: string): boolean {
    return this.breakers.has(team);
  }

  add(team: string): void {
    if (!this.breakers.has(team)) this.breakers.set(team, new TeamBreaker());
  }

  remove(team: string): void {
    this.breakers.delete(team);
    this.opened.delete(team);
    this.withdraw(team);
  }

  isIdle(team: string, nowMs: number): boolean {
    return this.breakers.get(team)?.isIdle(nowMs) ?? true;
  }

  isOpenFor(team: string, nowMs: number): boolean {
    return this.breakers.get(team)?.isOpen(nowMs) ?? false;
  }

  isOpenForSomebody(nowMs: number): boolean {
    for (const team of this.opened) if (this.isOpenFor(team, nowMs)) return true;
    return false;
  }

  /** Whether a pause is kept or remembered here. */
  get wasOpened(): boolean {
    return this.opened.size > 0;
  }

  /** A question of the team's goes out. */
  ask(team: string, nowMs: number): void {
    this.breakers.get(team)?.ask(nowMs);
  }

  answered(team: string, subject: string, nowMs: number): void {
    const breaker = this.breakers.get(team);
    if (breaker === undefined) return;
    breaker.answered(subject, nowMs);
    for (const other of this.opened) this.breakers.get(other)?.close();
    this.opened.clear();
    this.vote(team, breaker.tally(nowMs), nowMs);
  }

  /** @param isOfUs the refusal speaks of us, and would meet other teams too. */
  refused(team: string, subject: string, isOfUs: boolean, nowMs: number): void {
    const breaker = this.breakers.get(team);
    if (breaker === undefined) return;
    breaker.refused(subject, isOfUs, nowMs);
    const own = breaker.tally(nowMs);
    this.vote(team, own, nowMs);
    const decidesAlone = breaker.isTrying && RULES[this.kind].alone < Infinity;
    if (decidesAlone || this.suffices(team, own)) {
      breaker.open(nowMs);
      this.opened.add(team);
    } else if (breaker.isTrying) {
      breaker.close();
      this.opened.delete(team);
    }
  }

  /** Whether a team has been refused often enough, with what others met. */
  private suffices(team: string, own: Tally): boolean {
    const rule = RULES[this.kind];
    if (!isMostly(own.refusals, own.answers)) return false;
    if (own.refusals >= rule.alone) return true;
    if (own.refusedOfUs.length < rule.confirmed) return false;
    const mine = this.votes.get(team);
    const others = this.refusedTeams - (mine?.refused ? 1 : 0);
    const answered = this.votes.size - this.refusedTeams - (mine?.refused === null ? 1 : 0);
    const subjects = this.subjects.size + own.refusedOfUs.filter((each) => !this.subjects.has(each)).length;
    return others >= rule.otherTeams && isMostly(others + 1, answered) && subjects >= rule.together;
  }

  private vote(team: string, { refusals, answers, refusedOfUs }: Tally, nowMs: number): void {
    this.withdraw(team);
    this.forgetOldVotes(nowMs);
    const isRefused = refusedOfUs.length >= RULES[this.kind].each && isMostly(refusals, answers);
    if (!isRefused && answers === 0) return;
    this.votes.set(team, { atMs: nowMs, refused: isRefused ? refusedOfUs : null });
    if (!isRefused) return;
    this.refusedTeams += 1;
    for (const subject of refusedOfUs) this.subjects.set(subject, (this.subjects.get(subject) ?? 0) + 1);
  }

  private forgetOldVotes(nowMs: number): void {
    if (nowMs < this.sweepAtMs) return;
    this.sweepAtMs = nowMs + SWEEP_EVERY_MS;
    for (const [team, { atMs }] of this.votes) {
      if (atMs > nowMs - WINDOW_MS) return;
      this.withdraw(team);
    }
  }

  private withdraw(team: string): void {
    const refused = this.votes.get(team)?.refused;
    this.votes.delete(team);
    if (!refused) return;
    this.refusedTeams -= 1;
    for (const subject of refused) {
      const left = (this.subjects.get(subject) ?? 0) - 1;
      if (left > 0) this.subjects.set(subject, left);
      else this.subjects.delete(subject);
    }
  }
}
