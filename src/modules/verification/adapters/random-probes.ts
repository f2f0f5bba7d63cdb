import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../kernel/clock.js';
import type { RandomProbe } from '../domain/mailbox-prober.js';

/** Long enough for those who set out before the answer was known to the domain's memory. */
const HOLDS_MS = 60_000;
const MOST = 10_000;

/** One question about a random address, for all who want to know about the same domain at the same time. */
export class RandomProbes {
  private readonly asked: LRUCache<string, Promise<RandomProbe>>;

  constructor(clock: Clock) {
    this.asked = new LRUCache({ max: MOST, ttl: HOLDS_MS, perf: { now: () => clock.monotonicMs() } });
  }

  /**
   * The answer to the question under way, or to this one.
   *
   * @param signal of whoever asks: cuts the own wait short, `unusable`, and leaves the others theirs.
   */
  async join(key: string, signal: AbortSignal, ask: () => Promise<RandomProbe>): Promise<RandomProbe> {
    const underWay = this.asked.get(key);
    if (underWay !== undefined) return beforeAbort(underWay, signal);
    const asking = ask();
    this.asked.set(key, asking);
    const answer = await asking;
    // Cut short, it tells nothing about the domain: the next one asks anew.
    if (answer === 'unusable' && signal.aborted) this.asked.delete(key);
    return answer;
  }
}

async function beforeAbort(answer: Promise<RandomProbe>, signal: AbortSignal): Promise<RandomProbe> {
  if (signal.aborted) return 'unusable';
  let giveUp = () => undefined as void;
  const aborted = new Promise<RandomProbe>((resolve) => {
    giveUp = () => resolve('unusable');
    signal.addEventListener('abort', giveUp, { once: true });
  });
  return Promise.race([answer, aborted]).finally(() => signal.removeEventListener('abort', giveUp));
}
