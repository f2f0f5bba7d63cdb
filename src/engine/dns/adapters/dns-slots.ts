import type { Requester } from '../../../kernel/concurrency/fair-queue.js';
import { FairSemaphore } from '../../../kernel/concurrency/fair-semaphore.js';

/** One team's single calls may use this fraction (1/n) of the TCP connections, and its lists the same. */
export const TCP_SHARE_DIVISOR = 10;

/** This share of all slots is reserved for requesters that hold few slots. */
const RESERVED_SHARE = 1 / 2;
/** A requester holds few slots below this share of its limit. */
const FEW_SHARE = 1 / 25;

/** Slots of queries. A team's single calls and its lists count as two requesters. */
export function querySlots(total: number, perKey: number, queuedPerKey: number): FairSemaphore {
  const reserved = { slots: Math.floor(total * RESERVED_SHARE), few: Math.ceil(perKey * FEW_SHARE) };
  return new FairSemaphore({ total, perKey, queuedPerKey, reserved });
}

/** @returns null when no slot was acquired: the signal aborted first, or the queue of the requester is full. */
export async function withSlot<T>(
  slots: FairSemaphore,
  requester: Requester,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T | null> {
  const slot = await slots.acquire(requester, signal);
  try {
    return slot !== null && !signal.aborted ? await work() : null;
  } finally {
    slot?.release();
  }
}
