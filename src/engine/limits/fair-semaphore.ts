import type { Requester } from './requester.js';
import { FairQueue } from './fair-queue.js';

export interface SemaphoreLimits {
  /** Total number of slots. */
  total: number;
  /** Slots of one requester. A team's single calls and its lists count as two requesters. */
  perRequester: number;
  /** Maximum number of queued claims of one requester. */
  queuedPerRequester: number;
}

/** This share of all slots is reserved for requesters that hold few slots. */
const RESERVED_SHARE = 1 / 2;
/** A requester holds few slots below this share of `perRequester`. */
const RESERVED_THRESHOLD = 1 / 25;

/** A slot that is claimed or held by one requester, or by several that share it. */
export interface Slot {
  /** The requester that the slot counts for; null while it is queued. */
  holder: Requester | null;
  /** One claim per requester. The first claim that is served acquires the slot for all. */
  readonly claims: Map<string, Claim>;
  /** Called when the slot is acquired, and when the last claim is removed. */
  wake(): void;
}

interface Claim {
  requester: Requester;
  slot: Slot;
}

/**
 * A semaphore that is fair between requesters: each holds and queues a limited number of slots, some
 * slots are reserved for requesters that hold few, and the queue is a `FairQueue`.
 */
export class FairSemaphore {
  private readonly queue = new FairQueue<Claim>();
  private readonly held = new Map<string, number>();
  private totalHeld = 0;
  /** Slots that requesters above the threshold can hold together. */
  private readonly unreserved: number;
  private readonly reservedThreshold: number;

  constructor(private readonly limits: SemaphoreLimits) {
    this.unreserved = limits.total - Math.floor(limits.total * RESERVED_SHARE);
    this.reservedThreshold = Math.ceil(limits.perRequester * RESERVED_THRESHOLD);
  }

  /** Whether the requester has reached its limit of queued claims. */
  isQueueFull(requester: Requester): boolean {
    return this.queue.sizeOf(requester) >= this.limits.queuedPerRequester;
  }

  /** Queues a claim for the slot; does nothing when the requester's queue is full. */
  claim(slot: Slot, requester: Requester): void {
    const key = keyOf(requester);
    if (slot.holder !== null || slot.claims.has(key) || this.isQueueFull(requester)) return;
    const claim = { requester, slot };
    slot.claims.set(key, claim);
    this.queue.add(requester, claim);
    this.serve();
  }

  /** Removes a requester's claim. @param successor a remaining requester, to which a held slot is transferred. */
  withdraw(slot: Slot, requester: Requester, successor: Requester | undefined): void {
    if (slot.holder !== null && keyOf(slot.holder) === keyOf(requester) && successor !== undefined) {
      this.count(requester, -1);
      this.count(successor, 1);
      slot.holder = successor;
      this.serve();
      return;
    }
    this.drop(slot, slot.claims.get(keyOf(requester)));
    if (slot.holder !== null || slot.claims.size > 0) return;
    if (successor !== undefined) this.claim(slot, successor);
    slot.wake();
  }

  /** Releases a slot, or removes all its claims. */
  release(slot: Slot): void {
    for (const claim of slot.claims.values()) this.drop(slot, claim);
    if (slot.holder !== null) this.count(slot.holder, -1);
    slot.holder = null;
    slot.wake();
    this.serve();
  }

  private serve(): void {
    if (this.totalHeld >= this.limits.total) return;
    const isEligible = (requester: Requester) => this.canAcquire(requester);
    for (let claim = this.queue.take(isEligible); claim !== null; claim = this.queue.take(isEligible)) {
      const { requester, slot } = claim;
      slot.claims.delete(keyOf(requester));
      for (const other of slot.claims.values()) this.drop(slot, other);
      slot.holder = requester;
      this.count(requester, 1);
      slot.wake();
    }
  }

  private canAcquire(requester: Requester): boolean {
    const { total, perRequester } = this.limits;
    const held = this.held.get(keyOf(requester)) ?? 0;
    return held < perRequester && this.totalHeld < (held < this.reservedThreshold ? total : this.unreserved);
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
    this.totalHeld += change;
  }
}

/** The map key of a requester. */
export function keyOf({ owner, priority }: Requester): string {
  return `${priority} ${owner}`;
}
