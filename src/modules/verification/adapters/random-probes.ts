import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../kernel/clock.js';
import type { RandomProbe } from '../domain/mailbox-prober.js';
import type { Requester } from '../domain/requester.js';
import { keyOf } from './fair-slots.js';

/** Long enough for those who set out before the answer was known to the domain's memory. */
const HOLDS_MS = 60_000;
const MOST = 10_000;

/**
 * One question about a random address for all who want to know about the same domain at the
 * same time. What is still under way is shared within one team's single calls, and within its
 * lists: nobody waits in another's place of the queue. What is answered is shared by all.
 */
export class RandomProbes {
  private readonly answered: LRUCache<string, Exclude<RandomProbe, null>>;
  private readonly underWay = new Map<string, Promise<RandomProbe>>();

  constructor(clock: Clock) {
    this.answered = new LRUCache({ max: MOST, ttl: HOLDS_MS, perf: { now: () => clock.monotonicMs() } });
  }

  /**
   * The answer to the question under way, or to this one.
   *
   * @param signal of whoever asks: cuts the own wait short, `unusable`, and leaves the others theirs.
   */
  async join(
    key: string,
    requester: Requester,
    signal: AbortSignal,
    ask: () => Promise<RandomProbe>,
  ): Promise<RandomProbe> {
    const answered = this.answered.get(key);
    if (answered !== undefined) return answered;
    const place = `${key} ${keyOf(requester)}`;
    const underWay = this.underWay.get(place);
    if (underWay !== undefined) return beforeAbort(underWay, signal);
    const asking = ask().finally(() => this.underWay.delete(place));
    this.underWay.set(place, asking);
    const answer = await asking;
    // Cut short, it tells nothing about the domain: the next one asks anew.
    const isCutShort = answer === 'unusable' && signal.aborted;
    if (answer !== null && !isCutShort) this.answered.set(key, answer);
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
