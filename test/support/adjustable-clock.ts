import { SystemClock } from '../../src/platform/time/system-clock.js';

/** The system clock with an offset that a test can increase. Timers run in real time. */
export class AdjustableClock extends SystemClock {
  private ahead = 0;
  private stands: Date | null = null;

  advance(ms: number): void {
    this.ahead += ms;
  }

  /** Stops the wall clock at a time. The monotonic clock continues. */
  standAt(moment: string): void {
    this.stands = new Date(moment);
  }

  override now(): Date {
    return new Date(this.stands ?? super.now().getTime() + this.ahead);
  }

  override monotonicMs(): number {
    return super.monotonicMs() + this.ahead;
  }
}
