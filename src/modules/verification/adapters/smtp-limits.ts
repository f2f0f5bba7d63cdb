import { randomInt } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.js';
import type { SmtpSession } from './smtp-session.js';

/** Servers that count recipients allow more than this; the next connection costs two round trips. */
const RECIPIENTS_PER_SESSION = 25;
/** Exim ends a session at its twelfth RSET, which it holds to be idle talk. */
const RECIPIENTS_PER_EXIM_SESSION = 11;
/** Postfix slows down after ten refusals in a session and hangs up after twenty. */
const REFUSALS_PER_SESSION = 9;
/** What was learned holds this long: load passes, and servers are reconfigured. */
const LEARNED_MS = 10 * 60_000;
/** How long a server that turns everybody away is left alone, doubled each time it does. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;
/** Six pauses, some fifteen seconds together. */
const WORTH_WAITING_MS = 16_000;

/** What one server lets us do, as far as it has shown. */
export class LearnedLimits {
  private maxConnections: number;
  private maxServed = Infinity;
  private maxTogether = Infinity;
  private untilMs = 0;
  private pauseMs = FIRST_PAUSE_MS;
  private wasLetIn = false;

  constructor(
    private readonly mostConnections: number,
    private readonly clock: Clock,
  ) {
    this.maxConnections = mostConnections;
  }

  /** Connections at once. */
  get connections(): number {
    this.forgetOld();
    return this.maxConnections;
  }

  /** It had enough of us with this many connections. */
  noMoreThan(connections: number): void {
    this.maxConnections = Math.max(1, Math.min(connections, this.mostConnections));
    this.learned();
  }

  /** It ended a session after this many recipients. */
  endAfter(served: number): void {
    this.maxServed = Math.max(1, Math.min(this.maxServed, served));
    this.learned();
  }

  /** Questions that may go out in one go. */
  get together(): number {
    this.forgetOld();
    return this.maxTogether;
  }

  /** It broke off a session in the midst of several questions, and the answers to all of them were lost. */
  goOneByOne(): void {
    this.maxTogether = 1;
    this.learned();
  }

  areReachedBy(session: SmtpSession): boolean {
    return this.roomIn(session) <= 0;
  }

  /** How many more recipients the session may be asked about, should all be refused. */
  roomIn({ served, refused, software }: SmtpSession): number {
    this.forgetOld();
    const most = software === 'exim' ? RECIPIENTS_PER_EXIM_SESSION : RECIPIENTS_PER_SESSION;
    return Math.min(most - served, this.maxServed - served, REFUSALS_PER_SESSION - refused);
  }

  letIn(): void {
    this.pauseMs = FIRST_PAUSE_MS;
    this.wasLetIn = true;
  }

  /** It has let us in before, and has not turned us away for long since: it will again. */
  get isWelcomeAgain(): boolean {
    return this.wasLetIn && this.pauseMs < WORTH_WAITING_MS;
  }

  /** @returns for how long to leave it alone: not the same for all who were turned away. */
  turnedAway(): number {
    const pauseMs = this.pauseMs;
    this.pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    return pauseMs / 2 + randomInt(pauseMs);
  }

  private learned(): void {
    this.untilMs = this.clock.monotonicMs() + LEARNED_MS;
  }

  private forgetOld(): void {
    if (this.clock.monotonicMs() < this.untilMs) return;
    this.maxConnections = this.mostConnections;
    this.maxServed = Infinity;
    this.maxTogether = Infinity;
  }
}
