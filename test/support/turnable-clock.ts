import { SystemClock } from '../../src/platform/time/system-clock.js';

/** The machine's time, which a test may turn forward; what runs on timers goes on in real time. */
export class TurnableClock extends SystemClock {
  private ahead = 0;
  private stands: Date | null = null;

  advance(ms: number): void {
    this.ahead += ms;
  }

  /** The time of day does not pass any more; durations are measured as ever. */
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
