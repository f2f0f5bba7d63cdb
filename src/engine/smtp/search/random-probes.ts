import { untilAborted } from '../../../kernel/deadline.js';
import type { Clock } from '../../../kernel/clock.js';
import type { RandomProbe } from '../probe.js';
import { keyOf, type Requester } from '../../../kernel/concurrency/fair-queue.js';
import { randomInt } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { words } from '../../../kernel/text/words.js';

type Result = NonNullable<RandomProbe>;

/** Outlives the probes that started before the catch-all cache was filled. */
const TTL_MS = 60_000;
/** Longer than any delay within a call: a deferring server must see the same address again. */
const LOCAL_PART_TTL_MS = 600_000;
const MAX_ENTRIES = 10_000;

/**
 * Shares one probe of a random address between requests about the same domain. A pending probe is
 * shared only between single calls of one team, or between its list items, so that no requester skips
 * the queue of another. A result is shared by all.
 */
export class RandomProbes {
  private readonly known: LRUCache<string, Result>;
  private readonly localParts: LRUCache<string, string>;
  private readonly pending = new Map<string, Promise<Result>>();

  constructor(clock: Clock) {
    const perf = { now: () => clock.monotonicMs() };
    this.known = new LRUCache({ max: MAX_ENTRIES, ttl: TTL_MS, perf });
    this.localParts = new LRUCache({ max: MAX_ENTRIES, ttl: LOCAL_PART_TTL_MS, perf });
  }

  /** The same for some time: the probe after a delay must use it again. */
  localPart(key: string, make: () => string): string {
    const known = this.localParts.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.localParts.set(key, made);
    return made;
  }

  /**
   * The shared result, or that of a new probe.
   *
   * @param signal cancels this wait with `unusable`; other requests go on.
   */
  async join(
    key: string,
    requester: Requester,
    signal: AbortSignal,
    probe: () => Promise<Result>,
  ): Promise<Result> {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const pendingKey = `${key} ${keyOf(requester)}`;
    const pending = this.pending.get(pendingKey);
    if (pending !== undefined) return (await untilAborted(pending, signal)) ?? 'unusable';
    const probing = probe().finally(() => this.pending.delete(pendingKey));
    this.pending.set(pendingKey, probing);
    const result = await probing;
    // An aborted probe says nothing about the domain; the next request probes again.
    const wasAborted = result === 'unusable' && signal.aborted;
    if (!wasAborted) this.known.set(key, result);
    return result;
  }
}

const ONSETS = words('b br d dr f g gr k kl l m n p pr r s st t v z');
const VOWELS = words('a e i o u ai ei ou');
const CODAS = ['', '', 'l', 'm', 'n', 'r', 's', 't', 'nd', 'sk'];

/**
 * A random local part that looks like a person's: two invented words and a number, as
 * `dravelnouk.prestimarn4817`. Starts with a letter, at most 64 octets, some 10^13 values. Spam filters
 * recognise random strings and treat them differently.
 */
export function randomLocalPart(): string {
  return `${word(3)}.${word(3)}${randomInt(1_000, 10_000)}`;
}

function word(syllables: number): string {
  return Array.from({ length: syllables }, () => pick(ONSETS) + pick(VOWELS) + pick(CODAS)).join('');
}

function pick(parts: readonly string[]): string {
  return parts[randomInt(parts.length)] ?? '';
}
