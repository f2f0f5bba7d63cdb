/** What was met before this is forgotten. */
export const WINDOW_MS = 10 * 60_000;
/** Outcomes remembered, the latest of each subject. */
const MOST_OUTCOMES = 10;
/** Refusals among all outcomes from which on they are the rule. */
const RATIO = 0.8;
const FIRST_PAUSE_MS = 5 * 60_000;
const LONGEST_PAUSE_MS = 60 * 60_000;
/** One question tries when a pause is over; the others wait this long for what comes of it. */
const TRIAL_MS = 60_000;

interface Outcome {
  /** What was asked about: an address, or at a provider the domain that somebody registered. */
  subject: string;
  atMs: number;
  /** null: an answer. `isOfUs`: the refusal speaks of us, and would meet others too. */
  refusal: { isOfUs: boolean } | null;
}

interface Pause {
  lengthMs: number;
  untilMs: number;
  isTrial: boolean;
}

/** The outcomes within the window. */
export interface Tally {
  refusals: number;
  answers: number;
  /** Of those refusals that speak of us. */
  refusedOfUs: readonly string[];
}

/** Whether refusals are the rule. */
export function isMostly(refusals: number, answers: number): boolean {
  return refusals > 0 && refusals >= RATIO * (refusals + answers);
}

/** What one team has met lately in one scope, and the pause that it makes there. */
export class TeamBreaker {
  private outcomes: Outcome[] = [];
  private pause: Pause | null = null;

  isOpen(nowMs: number): boolean {
    return this.pause !== null && this.pause.untilMs > nowMs;
  }

  /** Nothing would be lost by forgetting it. */
  isIdle(nowMs: number): boolean {
    return this.pause === null && this.tally(nowMs).refusals === 0;
  }

  /** A pause is over, and what comes of one question is awaited or has just come. */
  get isTrying(): boolean {
    return this.pause?.isTrial ?? false;
  }

  /** A question goes out. Where a pause is over, it is the trial. */
  ask(nowMs: number): void {
    if (this.pause !== null) this.pause = { ...this.pause, isTrial: true, untilMs: nowMs + TRIAL_MS };
  }

  /** An answer: a pause ends, and the refusals before it count no more. */
  answered(subject: string, nowMs: number): void {
    if (this.pause !== null) this.outcomes = [];
    this.pause = null;
    this.remember({ subject, atMs: nowMs, refusal: null });
  }

  refused(subject: string, isOfUs: boolean, nowMs: number): void {
    this.remember({ subject, atMs: nowMs, refusal: { isOfUs } });
  }

  tally(nowMs: number): Tally {
    const tally = { refusals: 0, answers: 0, refusedOfUs: [] as string[] };
    for (const { subject, atMs, refusal } of this.outcomes) {
      if (atMs <= nowMs - WINDOW_MS) continue;
      if (refusal === null) tally.answers += 1;
      else tally.refusals += 1;
      if (refusal?.isOfUs) tally.refusedOfUs.push(subject);
    }
    return tally;
  }

  /** Begins a pause, twice as long as the last after a trial. Refusals of what was under way prolong none. */
  open(nowMs: number): void {
    if (this.pause !== null && !this.pause.isTrial) return;
    const lengthMs =
      this.pause === null ? FIRST_PAUSE_MS : Math.min(2 * this.pause.lengthMs, LONGEST_PAUSE_MS);
    this.pause = { lengthMs, untilMs: nowMs + lengthMs, isTrial: false };
  }

  close(): void {
    this.pause = null;
  }

  private remember(outcome: Outcome): void {
    const before = this.outcomes.findIndex(({ subject }) => subject === outcome.subject);
    if (before !== -1) this.outcomes.splice(before, 1);
    else if (this.outcomes.length >= MOST_OUTCOMES) this.outcomes.shift();
    this.outcomes.push(outcome);
  }
}
