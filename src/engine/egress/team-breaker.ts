/** Results older than this are ignored. */
export const WINDOW_MS = 10 * 60_000;
/** More subjects than any rule needs. */
const MAX_SUBJECTS = 10;
const FIRST_PAUSE_MS = 5 * 60_000;
const MAX_PAUSE_MS = 60 * 60_000;
/** After a pause one request is the half-open probe; the others wait this long for its result. */
const HALF_OPEN_MS = 60_000;

interface Rejection {
  atMs: number;
  /** It concerns us, and would concern other teams too. */
  isOfSender: boolean;
}

export interface Pause {
  lengthMs: number;
  untilMs: number;
  /** The pause is over, and the half-open probe is running. */
  isHalfOpen: boolean;
}

/** The rejections of one team in one scope since its last success, and its pause. */
export class TeamBreaker {
  /** By subject: an address, or for a provider the registrable domain. */
  private readonly rejections = new Map<string, Rejection>();
  private succeededAtMs = -Infinity;
  private pause: Pause | null = null;

  isOpen(nowMs: number): boolean {
    return this.pause !== null && this.pause.untilMs > nowMs;
  }

  /** Whether it holds no rejection and no pause, and can be removed. */
  isIdle(nowMs: number): boolean {
    return this.pause === null && this.countOf(nowMs) === 0;
  }

  get isHalfOpen(): boolean {
    return this.pause?.isHalfOpen ?? false;
  }

  /** Must be called before a request. After a pause, the request is the half-open probe. */
  onRequest(nowMs: number): void {
    if (this.pause !== null) this.pause = { ...this.pause, isHalfOpen: true, untilMs: nowMs + HALF_OPEN_MS };
  }

  /** Records a success: it clears the rejections before it, and ends the pause that they began. */
  succeeded(atMs: number): void {
    this.succeededAtMs = Math.max(this.succeededAtMs, atMs);
    for (const [subject, rejection] of this.rejections)
      if (rejection.atMs <= atMs) this.rejections.delete(subject);
    if (this.rejections.size === 0) this.pause = null;
  }

  rejected(subject: string, rejection: Rejection): void {
    // The results of another process may arrive late.
    if (rejection.atMs < this.succeededAtMs) return;
    this.rejections.delete(subject);
    this.rejections.set(subject, rejection);
    const [oldest = ''] = this.rejections.keys();
    if (this.rejections.size > MAX_SUBJECTS) this.rejections.delete(oldest);
  }

  hasSucceeded(nowMs: number): boolean {
    return this.succeededAtMs > nowMs - WINDOW_MS;
  }

  /** The number of subjects that were rejected in a row. */
  countOf(nowMs: number): number {
    return this.recent(nowMs).length;
  }

  /** Those whose rejections concern us. */
  rejectedOfSender(nowMs: number): readonly string[] {
    return this.recent(nowMs).flatMap(([subject, { isOfSender }]) => (isOfSender ? [subject] : []));
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

  get currentPause(): Pause | null {
    return this.pause;
  }

  /** Applies the pause of another process if it is longer, so that its failed probe is not repeated here. */
  adopt(pause: Pause): void {
    if (this.pause === null || pause.untilMs > this.pause.untilMs) this.pause = pause;
  }

  /** Whether one more rejection would change nothing. */
  isFull(nowMs: number): boolean {
    return this.countOf(nowMs) >= MAX_SUBJECTS;
  }

  private recent(nowMs: number): [string, Rejection][] {
    return [...this.rejections].filter(([, { atMs }]) => atMs > nowMs - WINDOW_MS);
  }
}
