import type { TeamId } from '../../../kernel/language.js';
import { add, countsOf, type Counts, type AccountCounts } from './counts.js';
import type { Answered, Charge } from './charge.js';

/** Nothing is leased unless more than this remains: below it each charge is the database's to grant. */
export const LEASE_FLOOR = 1_000;
/** Most units beyond what is needed at once. */
const MOST_AHEAD = 500;
/** Units that nobody took for so long go back, so that other processes can have them. */
const IDLE_MS = 5_000;
/** Well within what the database waits before it takes the process for dead. */
const RENEW_AFTER_MS = 20_000;

/** What a lease has to tell the database. */
export interface Batch {
  /** To be added to "used". */
  used: number;
  /** To be taken off "reserved": what became used, and what was given back. */
  released: number;
  counts: AccountCounts[];
}

/**
 * Units of a team's day that this process holds. The database counts them as
 * reserved; here they are charged and answered, and what came of them is told in
 * batches. A team without a limit has one too, with no units in it: its batches
 * are told the same way.
 */
export class Lease {
  /** Batches told: the database takes each only once. */
  turns = 0;
  /** Units to ask for beyond those needed: none at first, then more each time, while they are wanted. */
  ahead = 0;
  private free = 0;
  private pending = 0;
  private used = 0;
  private released = 0;
  private readonly counts = new Map<string, Counts>();
  private telling: Batch | null = null;
  private takenAtMs: number;
  private toldAtMs: number;

  constructor(
    readonly id: string,
    readonly teamId: TeamId,
    readonly day: string,
    public limit: number | null,
    nowMs: number,
  ) {
    this.takenAtMs = nowMs;
    this.toldAtMs = nowMs;
  }

  /** Units that are here for the taking. */
  get left(): number {
    return this.free;
  }

  /** Whether it can be charged without asking; what was granted under one limit is not spent under another. */
  serves(units: number, limit: number | null): boolean {
    return limit === this.limit && (limit === null || units <= this.free);
  }

  /** The database granted more: so many, of which some were asked for ahead. */
  grant(units: number, ahead: number, nowMs: number): void {
    this.free += units;
    this.ahead = Math.max(this.ahead, ahead);
    this.toldAtMs = nowMs;
  }

  take(units: number, nowMs: number): void {
    if (this.limit !== null) this.free -= units;
    this.pending += units;
    this.takenAtMs = nowMs;
  }

  /**
   * @param reserved units that were taken out of the free ones for this charge.
   * @param paid how many of the charge's units are.
   */
  settle({ account, units }: Charge, reserved: number, paid: number, answered: readonly Answered[]): void {
    this.pending -= units;
    this.used += paid;
    if (reserved > 0) {
      this.released += paid;
      this.free += reserved - paid;
    }
    if (answered.length === 0) return;
    const more = countsOf(answered);
    const known = this.counts.get(account);
    if (known === undefined) this.counts.set(account, more);
    else add(known, more);
  }

  /** Gives back what nobody has taken, with the next batch. */
  withdraw(): void {
    this.released += this.free;
    this.free = 0;
    this.ahead = 0;
  }

  isIdle(nowMs: number): boolean {
    return nowMs - this.takenAtMs >= IDLE_MS;
  }

  /** Nothing came of it for a while and nothing will: it may be forgotten. */
  isSpent(nowMs: number): boolean {
    return this.free === 0 && this.pending === 0 && this.isIdle(nowMs) && !this.hasNews();
  }

  /** Whether there is something to tell, were it only that the process is alive. */
  isDue(nowMs: number): boolean {
    const holds = this.free > 0 || this.pending > 0;
    return this.hasNews() || (holds && nowMs - this.toldAtMs >= RENEW_AFTER_MS);
  }

  /**
   * What is to be told now. As long as nobody knows whether a batch arrived it
   * stays the same, and is sent again under the same turn.
   */
  batch(): Batch {
    this.telling ??= this.cut();
    return this.telling;
  }

  told(nowMs: number): void {
    this.telling = null;
    this.turns++;
    this.toldAtMs = nowMs;
  }

  private hasNews(): boolean {
    return this.telling !== null || this.used > 0 || this.released > 0 || this.counts.size > 0;
  }

  private cut(): Batch {
    const counts = [...this.counts].map(([account, each]) => ({ account, ...each }));
    const batch = { used: this.used, released: this.released, counts };
    this.used = 0;
    this.released = 0;
    this.counts.clear();
    return batch;
  }
}

/** The next lease's units beyond those needed: a team that calls on and on soon needs no round trips. */
export function moreAhead(ahead: number): number {
  return Math.min(MOST_AHEAD, 2 * ahead + 1);
}
