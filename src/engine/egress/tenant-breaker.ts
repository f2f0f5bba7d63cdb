/** Outcomes older than this are ignored. */
export const WINDOW_MS = 10 * 60_000;
/** Maximum number of outcomes; one per subject. */
const MAX_OUTCOMES = 10;
/** Share of rejections among all outcomes from which a breaker may open. */
const REJECTION_RATIO = 0.8;
const FIRST_PAUSE_MS = 5 * 60_000;
const MAX_PAUSE_MS = 60 * 60_000;
/** After a pause one request is the half-open probe; the others wait this long for its result. */
const HALF_OPEN_MS = 60_000;

interface Outcome {
  /** An address, or for a provider the registrable domain. */
  subject: string;
  atMs: number;
  /** null: a success. `isOfSender`: the rejection concerns us, and would concern other tenants too. */
  rejection: { isOfSender: boolean } | null;
}

export interface Pause {
  lengthMs: number;
  untilMs: number;
  /** The pause is over, and the half-open probe is running. */
  isHalfOpen: boolean;
}

/** The outcomes within the window. */
export interface Tally {
  rejections: number;
  successes: number;
  /** The subjects whose rejections concern us. */
  rejectedOfSender: readonly string[];
}

export function isMostlyRejected(rejections: number, successes: number): boolean {
  return rejections > 0 && rejections >= REJECTION_RATIO * (rejections + successes);
}

/** The recent outcomes of one tenant in one scope, and its pause. */
export class TenantBreaker {
  private outcomes: Outcome[] = [];
  private pause: Pause | null = null;

  isOpen(nowMs: number): boolean {
    return this.pause !== null && this.pause.untilMs > nowMs;
  }

  /** Whether it holds no state and can be removed. */
  isIdle(nowMs: number): boolean {
    return this.pause === null && this.tally(nowMs).rejections === 0;
  }

  get isHalfOpen(): boolean {
    return this.pause?.isHalfOpen ?? false;
  }

  /** Must be called before a request. After a pause, the request is the half-open probe. */
  onRequest(nowMs: number): void {
    if (this.pause !== null) this.pause = { ...this.pause, isHalfOpen: true, untilMs: nowMs + HALF_OPEN_MS };
  }

  /** Records a success: it ends a pause and clears earlier rejections. */
  succeeded(subject: string, nowMs: number): void {
    if (this.pause !== null) this.outcomes = [];
    this.pause = null;
    this.addOutcome({ subject, atMs: nowMs, rejection: null });
  }

  rejected(subject: string, isOfSender: boolean, nowMs: number): void {
    this.addOutcome({ subject, atMs: nowMs, rejection: { isOfSender } });
  }

  tally(nowMs: number): Tally {
    const tally = { rejections: 0, successes: 0, rejectedOfSender: [] as string[] };
    for (const { subject, atMs, rejection } of this.outcomes) {
      if (atMs <= nowMs - WINDOW_MS) continue;
      if (rejection === null) tally.successes += 1;
      else tally.rejections += 1;
      if (rejection?.isOfSender) tally.rejectedOfSender.push(subject);
    }
    return tally;
  }

  /**
   * Starts a pause; after a failed half-open probe it is twice as long. Rejections of requests in flight do
   * not extend it.
   */
  open(nowMs: number): void {
    if (this.pause !== null && !this.pause.isHalfOpen) return;
    const lengthMs = this.pause === null ? FIRST_PAUSE_MS : Math.min(2 * this.pause.lengthMs, MAX_PAUSE_MS);
    this.pause = { lengthMs, untilMs: nowMs + lengthMs, isHalfOpen: false };
  }

  close(): void {
    this.pause = null;
  }

  get currentPause(): Pause | null {
    return this.pause;
  }

  /** Applies the pause of another process if it is longer, so that its failed probe is not repeated here. */
  adopt(pause: Pause): void {
    if (this.pause === null || pause.untilMs > this.pause.untilMs) this.pause = pause;
  }

  /** Whether one more rejection would change nothing. */
  isFull(nowMs: number): boolean {
    const { rejections, successes } = this.tally(nowMs);
    return successes === 0 && rejections >= MAX_OUTCOMES;
  }

  private addOutcome(outcome: Outcome): void {
    const index = this.outcomes.findIndex(({ subject }) => subject === outcome.subject);
    if (index !== -1) this.outcomes.splice(index, 1);
    else if (this.outcomes.length >= MAX_OUTCOMES) this.outcomes.shift();
    this.outcomes.push(outcome);
  }
}
