import type { Requester } from '../domain/requester.js';
import { FairQueue } from './fair-queue.js';

export interface SlotBounds {
  /** Slots in all. */
  total: number;
  /** Slots of one requester: a team's single calls and its lists are counted apart. */
  perRequester: number;
  /** What one requester may have waiting. */
  queuedPerRequester: number;
}

/** This part of all slots is kept for requesters who hold few. */
const RESERVED_PART = 1 / 2;
/** Few: less than this part of what one requester may hold. */
const FEW_PART = 1 / 25;

/** A slot that is waited for and then held, for one requester or for several together. */
export interface Slot {
  /** Whom it counts for; null while it is waited for. */
  holder: Requester | null;
  /** The places in the queue: one for each requester; the first that is reached gets the slot for all. */
  readonly claims: Map<string, Claim>;
  /** Called when the slot is there, and when the last claim is gone. */
  wake(): void;
}

interface Claim {
  requester: Requester;
  slot: Slot;
}

/**
 * A number of slots, divided fairly: each requester holds and queues a bounded number, some
 * slots are kept for those who hold few, and those who wait are served by `FairQueue`.
 */
export class FairSlots {
  private readonly queue = new FairQueue<Claim>();
  private readonly held = new Map<string, number>();
  private heldInAll = 0;
  /** What those who hold more than a few may come to together. */
  private readonly unreserved: number;
  private readonly few: number;

  constructor(private readonly bounds: SlotBounds) {
    this.unreserved = bounds.total - Math.floor(bounds.total * RESERVED_PART);
    this.few = Math.ceil(bounds.perRequester * FEW_PART);
  }

  /** Whether a requester has as much waiting as it may. */
  isFullFor(requester: Requester): boolean {
    return this.queue.sizeOf(requester) >= this.bounds.queuedPerRequester;
  }

  /** Waits for the slot on behalf of a requester; does nothing when that one has too much waiting. */
  claim(slot: Slot, requester: Requester): void {
    const key = keyOf(requester);
    if (slot.holder !== null || slot.claims.has(key) || this.isFullFor(requester)) return;
    const claim = { requester, slot };
    slot.claims.set(key, claim);
    this.queue.add(requester, claim);
    this.serve();
  }

  /** A requester needs it no more. @param heir one who still does: a slot that is held counts for that one. */
  withdraw(slot: Slot, requester: Requester, heir: Requester | undefined): void {
    if (slot.holder !== null && keyOf(slot.holder) === keyOf(requester) && heir !== undefined) {
      this.count(requester, -1);
      this.count(heir, 1);
      slot.holder = heir;
      this.serve();
      return;
    }
    this.drop(slot, slot.claims.get(keyOf(requester)));
    if (slot.holder !== null || slot.claims.size > 0) return;
    if (heir !== undefined) this.claim(slot, heir);
    slot.wake();
  }

  /** Whether it was granted or not: nobody needs it any more. */
  release(slot: Slot): void {
    for (const claim of slot.claims.values()) this.drop(slot, claim);
    if (slot.holder !== null) this.count(slot.holder, -1);
    slot.holder = null;
    slot.wake();
    this.serve();
  }

  private serve(): void {
    if (this.heldInAll >= this.bounds.total) return;
    const mayTake = (requester: Requester) => this.mayHoldMore(requester);
    for (let claim = this.queue.take(mayTake); claim !== null; claim = this.queue.take(mayTake)) {
      const { requester, slot } = claim;
      slot.claims.delete(keyOf(requester));
      for (const other of slot.claims.values()) this.drop(slot, other);
      slot.holder = requester;
      this.count(requester, 1);
      slot.wake();
    }
  }

  private mayHoldMore(requester: Requester): boolean {
    const { total, perRequester } = this.bounds;
    const held = this.held.get(keyOf(requester)) ?? 0;
    return held < perRequester && this.heldInAll < (held < this.few ? total : this.unreserved);
  }

  private drop(slot: Slot, claim: Claim | undefined): void {
    if (claim === undefined) return;
    slot.claims.delete(keyOf(claim.requester));
    this.queue.remove(claim.requester, claim);
  }

  private count(requester: Requester, change: 1 | -1): void {
    const key = keyOf(requester);
    const held = (this.held.get(key) ?? 0) + change;
    if (held > 0) this.held.set(key, held);
    else this.held.delete(key);
    this.heldInAll += change;
  }
}

/** One text for each requester. */
export function keyOf({ owner, priority }: Requester): string {
  return `${priority} ${owner}`;
}
