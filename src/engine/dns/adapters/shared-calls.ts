import type { Requester } from '../../limits/requester.js';
import { keyOf, type FairSemaphore, type Slot } from '../../limits/fair-semaphore.js';

/**
 * The requesters that share one query. The query waits for its slots on behalf of all of them: a
 * requester that joins later can move it forward, and one that leaves does not remove the others'
 * claims.
 */
export class Callers {
  private readonly counts = new Map<string, { requester: Requester; count: number }>();
  private readonly slots = new Map<Slot, FairSemaphore>();

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
    for (const [slot, slots] of this.slots) slots.claim(slot, requester);
  }

  remove(requester: Requester): void {
    const existing = this.counts.get(keyOf(requester));
    if (existing === undefined) return;
    existing.count -= 1;
    if (existing.count > 0) return;
    this.counts.delete(keyOf(requester));
    const [successor] = this.counts.values();
    for (const [slot, slots] of this.slots) slots.withdraw(slot, requester, successor?.requester);
  }

  /**
   * Runs the work while it holds a slot.
   *
   * @param work must settle soon after the signal aborts.
   * @returns null when no slot was acquired: the signal aborted first, or the queue of every requester
   * is full.
   */
  async withSlot<T>(slots: FairSemaphore, signal: AbortSignal, work: () => Promise<T>): Promise<T | null> {
    const slot: Slot = { holder: null, claims: new Map(), wake: () => undefined };
    const onAbort = () => {
      if (slot.holder === null) slots.release(slot);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.slots.set(slot, slots);
    for (const { requester } of this.counts.values()) slots.claim(slot, requester);
    try {
      while (slot.holder === null && slot.claims.size > 0)
        await new Promise<void>((resolve) => (slot.wake = resolve));
      return slot.holder !== null && !signal.aborted ? await work() : null;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.slots.delete(slot);
      slots.release(slot);
    }
  }
}
