import { FairQueue, keyOf, type Requester } from './fair-queue.js';

/** Members may change; after a rise of the total, `serve` must be called. */
export interface SemaphoreLimits {
  readonly total: number;
  readonly perKey: number;
  /** Requests of one key that wait; further ones are refused. Default: no limit. */
  readonly queuedPerKey?: number;
  /** Slots that only keys with fewer than `few` slots may acquire. Default: none. */
  readonly reserved?: { slots: number; few: number };
}

export interface Slot {
  /** May be called repeatedly. */
  release(): void;
}

interface Waiting {
  key: Requester;
  start(slot: Slot): void;
}

/**
 * A semaphore that is fair between keys: a key holds at most `perKey` of the slots, and free slots go to the keys
 * round-robin, whatever each has queued, in the order of its requests. The priorities of a team are two keys;
 * `FairQueue` says how they are served. A key at its limit does not delay others. There is no time limit: a wait
 * ends with its signal.
 */
export class FairSemaphore {
  private readonly queue = new FairQueue<Waiting>();
  /** A key without slots has no entry. */
  private readonly held = new Map<string, number>();
  private totalHeld = 0;

  constructor(private readonly limits: SemaphoreLimits) {}

  /** Waits for a slot and holds it while the work runs. @throws when the queue of the key is full. */
  async run<T>(team: string, work: () => Promise<T>): Promise<T> {
    const slot = await this.acquire({ team, priority: 'single' });
    if (slot === null) throw new Error('The queue is full');
    try {
      return await work();
    } finally {
      slot.release();
    }
  }

  /**
   * @param signal gets a listener for each request that waits.
   * @returns null: the queue of the key is full, or the signal aborted before a slot was free.
   */
  acquire(key: Requester, signal?: AbortSignal): Promise<Slot | null> {
    if (signal?.aborted === true || this.isQueueFull(key)) return Promise.resolve(null);
    return new Promise((resolve) => {
      const onAbort = () => {
        if (this.queue.remove(key, waiting)) resolve(null);
      };
      const waiting = {
        key,
        start: (slot: Slot) => {
          signal?.removeEventListener('abort', onAbort);
          resolve(slot);
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.queue.add(key, waiting);
      this.serve();
    });
  }

  /** Slots in use. */
  get inUse(): number {
    return this.totalHeld;
  }

  /** Requests that wait. */
  get waiting(): number {
    return this.queue.size;
  }

  /** The work that `run` has running and waiting for a team. */
  countOf(team: string): number {
    const key: Requester = { team, priority: 'single' };
    return (this.held.get(keyOf(key)) ?? 0) + this.queue.sizeOf(key);
  }

  isQueueFull(key: Requester): boolean {
    return this.queue.sizeOf(key) >= (this.limits.queuedPerKey ?? Number.POSITIVE_INFINITY);
  }

  /** Gives free slots to those that wait. */
  serve(): void {
    while (this.totalHeld < this.limits.total) {
      const next = this.queue.dequeue((key) => this.isEligible(keyOf(key)));
      if (next === null) return;
      next.start(this.hold(keyOf(next.key)));
    }
  }

  private isEligible(name: string): boolean {
    const { total, perKey, reserved = { slots: 0, few: 0 } } = this.limits;
    const held = this.held.get(name) ?? 0;
    return held < perKey && this.totalHeld < (held < reserved.few ? total : total - reserved.slots);
  }

  private hold(name: string): Slot {
    let isHeld = true;
    this.count(name, 1);
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      this.count(name, -1);
      this.serve();
    };
    return { release };
  }

  private count(name: string, change: 1 | -1): void {
    const held = (this.held.get(name) ?? 0) + change;
    if (held > 0) this.held.set(name, held);
    else this.held.delete(name);
    this.totalHeld += change;
  }
}
