import { greatest } from '../../kernel/long-lists.js';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../kernel/clock.js';
import { networksOf } from '../net/client-network.js';

export interface NetworkLimits {
  /** Attempts in the window, of an IPv4 address or the /64 of an IPv6 address. It may be that of many users. */
  ofNetwork: number;
  windowMs: number;
  /** Of all networks together. Beyond it, each /24 or /48 still gets its fair share of them. Default: no limit. */
  together?: number;
}

/**
 * What a wider network may use, as a multiple of `ofNetwork`, widest first. A /48 or a /56 is one site (RFC 6177 §2);
 * the addresses of a /24 may be those of as many sites.
 */
const SHARES: Readonly<Record<number, readonly number[]>> = { 1: [1], 2: [16, 1], 3: [4, 2, 1] };
/** Networks of each width that are stored; the least recently used is evicted first. */
const MAX_NETWORKS = 10_000;
const RECOUNT_MS = 1_000;

/**
 * Bounds what strangers may use in this process. It is a sliding window: a refused attempt counts for nobody, so that
 * whoever keeps trying is accepted again in time.
 */
export class NetworkLimiter {
  /** By width, widest first. Made for the first attempt, because each allocates the places of all its networks. */
  private stored: readonly LRUCache<string, Attempts>[] | undefined;
  private readonly all = new Attempts();
  private active = { networks: 1, countedAtMs: -Infinity };

  constructor(
    private readonly clock: Clock,
    private readonly limits: NetworkLimits,
  ) {}

  /**
   * @param address of the client. @param subject what is limited, if there are several: each is counted on its own.
   * @returns 0 if the attempt is accepted, otherwise the milliseconds until it would be.
   */
  consume(address: string, subject = ''): number {
    const { ofNetwork, windowMs, together } = this.limits;
    const nowMs = this.clock.monotonicMs();
    const names = networksOf(address);
    const shares = SHARES[names.length] ?? [];
    const steps = names.map((name, width) => this.attemptsOf(`${subject} ${name}`, width));
    const waits = steps.map((step, width) => step.waitMs(nowMs, windowMs, ofNetwork * (shares[width] ?? 1)));
    const waitMs =
      greatest(waits, 0) || (together === undefined ? 0 : this.waitForAll(steps[0]!, nowMs, together));
    if (waitMs > 0) return waitMs;
    for (const [width, step] of steps.entries()) {
      step.add(nowMs);
      this.networks[width]?.set(`${subject} ${names[width]}`, step);
    }
    if (together !== undefined) this.all.add(nowMs);
    return 0;
  }

  /** Removes the last accepted attempt of the client. */
  giveBack(address: string, subject = ''): void {
    for (const [width, name] of networksOf(address).entries())
      this.networks[width]?.get(`${subject} ${name}`)?.removeLast();
    if (this.limits.together !== undefined) this.all.removeLast();
  }

  private get networks(): readonly LRUCache<string, Attempts>[] {
    return (this.stored ??= SHARES[3]!.map(() => new LRUCache<string, Attempts>({ max: MAX_NETWORKS })));
  }

  private attemptsOf(key: string, width: number): Attempts {
    return this.networks[width]?.get(key) ?? new Attempts();
  }

  /** What a few networks have used up is refused to them only: the others share what is there for all. */
  private waitForAll(widest: Attempts, nowMs: number, together: number): number {
    const waitMs = this.all.waitMs(nowMs, this.limits.windowMs, together);
    if (waitMs === 0) return 0;
    if (nowMs - this.active.countedAtMs >= RECOUNT_MS)
      this.active = { networks: this.countActive(nowMs), countedAtMs: nowMs };
    const fairShare = Math.max(1, Math.floor(together / this.active.networks));
    return widest.waitMs(nowMs, this.limits.windowMs, fairShare);
  }

  private countActive(nowMs: number): number {
    let networks = 1;
    for (const attempts of this.networks[0]?.values() ?? [])
      if (attempts.waitMs(nowMs, this.limits.windowMs, 1) > 0) networks++;
    return networks;
  }
}

/** Times of accepted attempts in ms, oldest first. */
class Attempts {
  private times: number[] = [];
  /** Those before it are older than the window. */
  private first = 0;

  /** @returns 0 if fewer than `max` attempts are in the window. */
  waitMs(nowMs: number, windowMs: number, max: number): number {
    while (this.first < this.times.length && nowMs - this.times[this.first]! >= windowMs) this.first++;
    // Moved seldom, so that an attempt costs the same however many there are.
    if (this.first > this.times.length / 2) {
      this.times = this.times.slice(this.first);
      this.first = 0;
    }
    const free = this.times.at(-max);
    if (this.times.length - this.first < max || free === undefined) return 0;
    return free + windowMs - nowMs;
  }

  add(nowMs: number): void {
    this.times.push(nowMs);
  }

  removeLast(): void {
    if (this.times.length > this.first) this.times.pop();
  }
}
