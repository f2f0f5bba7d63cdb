import { FairQueue, type QueueKey } from './fair-queue.js';

export interface SemaphoreLimits {
  total: number;
  perKey: number;
  /** Requests of one key that wait; further ones are refused. Default: no limit. */
  queuedPerKey?: number;
  /** Slots that only keys with fewer than `few` slots may acquire. Default: none. */
  reserved?: { slots: number; few: number };
}

export interface Slot {
  /** May be called repeatedly. */
  release(): void;
  /** Counts the slot for another key from now on, even if that one then exceeds its limit. */
  transferTo(key: QueueKey): void;
}

interface Waiting {
  key: QueueKey;
  start(slot: Slot): void;
}

/**
 * A semaphore that is fair between keys: a key holds at most `perKey` of the slots, and free slots go to the keys
 * round-robin, whatever each has queued, in the order of its requests. The priorities of a tenant are two keys;
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
  async run<T>(tenant: string, work: () => Promise<T>): Promise<T> {
    const slot = await this.acquire({ tenant, priority: 'single' });
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
  acquire(key: QueueKey, signal?: AbortSignal): Promise<Slot | null> {
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

  /** The work that `run` has running and waiting for a tenant. */
  countOf(tenant: string): number {
    const key: QueueKey = { tenant, priority: 'single' };
    return (this.held.get(nameOf(key)) ?? 0) + this.queue.sizeOf(key);
  }

  isQueueFull(key: QueueKey): boolean {
    return this.queue.sizeOf(key) >= (this.limits.queuedPerKey ?? Number.POSITIVE_INFINITY);
  }

  private serve(): void {
    while (this.totalHeld < this.limits.total) {
      const next = this.queue.dequeue((key) => this.isEligible(nameOf(key)));
      if (next === null) return;
      next.start(this.hold(nameOf(next.key)));
    }
  }

  private isEligible(name: string): boolean {
    const { total, perKey, reserved = { slots: 0, few: 0 } } = this.limits;
    const held = this.held.get(name) ?? 0;
    return held < perKey && this.totalHeld < (held < reserved.few ? total : total - reserved.slots);
  }

  private hold(name: string): Slot {
    let holder: string | null = name;
    this.count(name, 1);
    const moveTo = (other: string | null) => {
      if (holder === null) return;
      this.count(holder, -1);
      if (other !== null) this.count(other, 1);
      holder = other;
      this.serve();
    };
    return { release: () => moveTo(null), transferTo: (key) => moveTo(nameOf(key)) };
  }

  private count(name: string, change: 1 | -1): void {
    const held = (this.held.get(name) ?? 0) + change;
    if (held > 0) this.held.set(name, held);
    else this.held.delete(name);
    this.totalHeld += change;
  }
}

function nameOf({ tenant, priority }: QueueKey): string {
  return `${priority} ${tenant}`;
}
