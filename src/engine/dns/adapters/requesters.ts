import { FairSemaphore, type Slot } from '../../../kernel/concurrency/fair-semaphore.js';
import { keyOf, type Requester } from '../../limits/requester.js';

/** This share of all slots is reserved for requesters that hold few slots. */
const RESERVED_SHARE = 1 / 2;
/** A requester holds few slots below this share of its limit. */
const FEW_SHARE = 1 / 25;

/** Slots of queries. A team's single calls and its lists count as two requesters. */
export function querySlots(total: number, perKey: number, queuedPerKey: number): FairSemaphore {
  const reserved = { slots: Math.floor(total * RESERVED_SHARE), few: Math.ceil(perKey * FEW_SHARE) };
  return new FairSemaphore({ total, perKey, queuedPerKey, reserved });
}

/** A wait for a slot. */
interface Wait {
  claim(requester: Requester): void;
  withdraw(requester: Requester): void;
}

/**
 * The requesters that share one query. The query waits for its slots on behalf of all of them: one that joins
 * later can move it forward, and one that leaves does not remove the others' requests. A slot counts for the
 * requester that acquired it, and for another one when that one leaves.
 */
export class Requesters {
  private readonly counts = new Map<string, { requester: Requester; count: number }>();
  private readonly waits = new Set<Wait>();
  /** Held slots, and the keys of the requesters for whom they count. */
  private readonly held = new Map<Slot, string>();

  get isEmpty(): boolean {
    return this.counts.size === 0;
  }

  add(requester: Requester): void {
    const existing = this.counts.get(keyOf(requester));
    if (existing !== undefined) {
      existing.count += 1;
      return;
    }
    this.counts.set(keyOf(requester), { requester, count: 1 });
    for (const wait of this.waits) wait.claim(requester);
  }

  remove(requester: Requester): void {
    const existing = this.counts.get(keyOf(requester));
    if (existing === undefined) return;
    existing.count -= 1;
    if (existing.count > 0) return;
    this.counts.delete(keyOf(requester));
    for (const wait of this.waits) wait.withdraw(requester);
    for (const [slot, holder] of this.held) if (holder === keyOf(requester)) this.hold(slot, requester);
  }

  /**
   * Runs the work while it holds a slot.
   *
   * @param work must settle soon after the signal aborts.
   * @returns null when no slot was acquired: the signal aborted first, or the queue of every requester
   * is full.
   */
  async withSlot<T>(slots: FairSemaphore, signal: AbortSignal, work: () => Promise<T>): Promise<T | null> {
    const slot = await this.acquire(slots, signal);
    try {
      return slot !== null && !signal.aborted ? await work() : null;
    } finally {
      if (slot !== null) this.held.delete(slot);
      slot?.release();
    }
  }

  private acquire(slots: FairSemaphore, signal: AbortSignal): Promise<Slot | null> {
    if (signal.aborted) return Promise.resolve(null);
    return new Promise((resolve) => {
      const claims = new Map<string, AbortController>();
      const end = (slot: Slot | null) => {
        this.waits.delete(wait);
        signal.removeEventListener('abort', onAbort);
        for (const claim of claims.values()) claim.abort();
        resolve(slot);
      };
      const onAbort = () => end(null);
      const claim = async (requester: Requester) => {
        const withdrawal = new AbortController();
        claims.set(keyOf(requester), withdrawal);
        const slot = await slots.acquire(requester, withdrawal.signal);
        if (claims.get(keyOf(requester)) === withdrawal) claims.delete(keyOf(requester));
        if (!this.waits.has(wait)) return slot?.release();
        if (slot !== null) {
          this.hold(slot, requester);
          end(slot);
        } else if (claims.size === 0) {
          // The others could not queue when this one was queued.
          const [next] = withdrawal.signal.aborted ? this.counts.values() : [];
          if (next === undefined) end(null);
          else void claim(next.requester);
        }
      };
      const wait: Wait = {
        claim: (requester) => void claim(requester),
        withdraw: (requester) => claims.get(keyOf(requester))?.abort(),
      };
      this.waits.add(wait);
      signal.addEventListener('abort', onAbort, { once: true });
      for (const { requester } of this.counts.values()) void claim(requester);
    });
  }

  /** Counts the slot for the requester, or for another one if that one has left. */
  private hold(slot: Slot, requester: Requester): void {
    const [first] = this.counts.values();
    const holder = this.counts.get(keyOf(requester)) ?? first;
    if (holder !== undefined && holder.requester !== requester) slot.transferTo(holder.requester);
    this.held.set(slot, keyOf(holder?.requester ?? requester));
  }
}
