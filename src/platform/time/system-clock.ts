import { setTimeout as delay } from 'node:timers/promises';
import { Clock } from '../../kernel/clock.js';

export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }

  monotonicMs(): number {
    return performance.now();
  }

  async pause(ms: number, signal?: AbortSignal): Promise<void> {
    await delay(ms, undefined, { signal }).catch(() => undefined);
  }
}
