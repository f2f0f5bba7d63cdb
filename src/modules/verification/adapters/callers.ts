import type { Requester } from '../domain/requester.js';
import { keyOf, type FairSlots, type Slot } from './fair-slots.js';

/**
 * Those who wait for one piece of work. It waits for its slots in the name of them all: a
 * requester who joins later brings it forward, and one who leaves takes nobody else's place along.
 */
export class Callers {
  private readonly counts = new Map<string, { requester: Requester; count: number }>();
  private readonly slots = new Map<Slot, FairSlots>();

  get isEmpty(): boolean {
    return this.counts.size === 0;
  }

  add(requester: Requester): void {
    const known = this.counts.get(keyOf(requester));
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    this.counts.set(keyOf(requester), { requester, count: 1 });
    for (const [slot, slots] of this.slots) slots.claim(slot, requester);
  }

  remove(requester: Requester): void {
    const known = this.counts.get(keyOf(requester));
    if (known === undefined) return;
    known.count -= 1;
    if (known.count > 0) return;
    this.counts.delete(keyOf(requester));
    const [heir] = this.counts.values();
    for (const [slot, slots] of this.slots) slots.withdraw(slot, requester, heir?.requester);
  }

  /**
   * Works while it holds a slot.
   *
   * @param work must settle soon after the signal aborts.
   * @returns null when there was no slot: the signal aborted before, or all callers have too much waiting.
   */
  async withSlot<T>(slots: FairSlots, signal: AbortSignal, work: () => Promise<T>): Promise<T | null> {
    const slot: Slot = { holder: null, claims: new Map(), wake: () => undefined };
    const giveUp = () => {
      if (slot.holder === null) slots.release(slot);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    this.slots.set(slot, slots);
    for (const { requester } of this.counts.values()) slots.claim(slot, requester);
    try {
      while (slot.holder === null && slot.claims.size > 0)
        await new Promise<void>((resolve) => (slot.wake = resolve));
      return slot.holder !== null && !signal.aborted ? await work() : null;
    } finally {
      signal.removeEventListener('abort', giveUp);
      this.slots.delete(slot);
      slots.release(slot);
    }
  }
}
