import { Clock } from '../../../src/kernel/clock.js';

interface Pause {
  dueMs: number;
  end: () => void;
}

/** A clock that only advances when a test calls `advance`. `now` and `monotonicMs` advance together. */
export class FakeClock extends Clock {
  private elapsedMs = 0;
  private readonly pauses = new Set<Pause>();

  constructor(private readonly start = new Date('2030-01-01T00:00:00.000Z')) {
    super();
  }

  now(): Date {
    return new Date(this.start.getTime() + this.elapsedMs);
  }

  monotonicMs(): number {
    return this.elapsedMs;
  }

  pause(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted || ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const pause: Pause = {
        dueMs: this.elapsedMs + ms,
        end: () => {
          this.pauses.delete(pause);
          signal?.removeEventListener('abort', pause.end);
          resolve();
        },
      };
      this.pauses.add(pause);
      signal?.addEventListener('abort', pause.end, { once: true });
    });
  }

  /** Number of pending pauses. */
  get pausing(): number {
    return this.pauses.size;
  }

  /**
   * Advances the clock. Pauses end in order, each at its due time and followed
   * by an iteration of the event loop, so that pauses started in between end too.
   */
  async advance(ms: number): Promise<void> {
    const untilMs = this.elapsedMs + ms;
    for (let due = this.firstDue(untilMs); due; due = this.firstDue(untilMs)) {
      this.elapsedMs = due.dueMs;
      due.end();
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.elapsedMs = Math.max(this.elapsedMs, untilMs);
  }

  private firstDue(untilMs: number): Pause | undefined {
    return [...this.pauses].filter(({ dueMs }) => dueMs <= untilMs).sort((a, b) => a.dueMs - b.dueMs)[0];
  }
}
