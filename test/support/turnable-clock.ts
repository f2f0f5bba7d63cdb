import { SystemClock } from '../../src/platform/time/system-clock.js';

/** The machine's time, which a test may turn forward; what runs on timers goes on in real time. */
export class TurnableClock extends SystemClock {
  private ahead = 0;

  advance(ms: number): void {
    this.ahead += ms;
  }

  override now(): Date {
    return new Date(super.now().getTime() + this.ahead);
  }

  override monotonicMs(): number {
    return super.monotonicMs() + this.ahead;
  }
}
