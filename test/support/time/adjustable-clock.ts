import { SystemClock } from '../../../src/platform/time/system-clock.js';

/** The system clock with an offset that a test can increase. Timers run in real time. */
export class AdjustableClock extends SystemClock {
  private ahead = 0;
  private stands: Date | null = null;
  private stopped: { readonly nowMs: number; readonly monotonicMs: number } | null = null;

  advance(ms: number): void {
    this.ahead += ms;
  }

  /** Stops the wall clock at a time. The monotonic clock continues. */
  standAt(moment: string): void {
    this.stands = new Date(moment);
  }

  /** Stops both clocks, so that they advance only by `advance`: a slow machine does not exceed a time to live. */
  stop(): void {
    this.stopped = { nowMs: super.now().getTime(), monotonicMs: super.monotonicMs() };
  }

  /** Both clocks run again, and have the time that has passed in between. */
  resume(): void {
    this.stopped = null;
  }

  override now(): Date {
    return new Date(this.stands ?? (this.stopped?.nowMs ?? super.now().getTime()) + this.ahead);
  }

  override monotonicMs(): number {
    return (this.stopped?.monotonicMs ?? super.monotonicMs()) + this.ahead;
  }
}
