import type { Requester } from '../../../kernel/concurrency/fair-queue.js';
import type { Slot } from '../../../kernel/concurrency/fair-semaphore.js';
import type { EgressTotal } from '../../limits/egress-total.js';

/** The turn of one pool for a connection of an egress that has a total: in the turn of the pool's next request. */
export class EgressTurn {
  private requested: { by: Requester; abort: AbortController } | null = null;
  private slot: Slot | null = null;

  /** @param onSlot is called when a connection of the egress is free for the pool. */
  constructor(
    private readonly total: Pick<EgressTotal, 'acquire'> | null,
    private readonly onSlot: () => void,
  ) {}

  /** Whether the pool waits for the egress. */
  get isWaiting(): boolean {
    return this.requested !== null;
  }

  /**
   * Asks for a connection for the pool's next request, which may be another one than before. null: none is wanted.
   *
   * @returns whether one is free now.
   */
  request(by: Requester | null): boolean {
    if (this.total === null) return true;
    if (by === null) {
      this.slot?.release();
      this.slot = null;
    }
    if (this.slot !== null) return true;
    const { requested } = this;
    if (requested?.by.team === by?.team && requested?.by.priority === by?.priority) return false;
    requested?.abort.abort();
    this.requested = by && { by, abort: new AbortController() };
    if (this.requested !== null) void this.acquire(this.total, this.requested);
    return false;
  }

  /** Takes the free connection. @returns what gives it back. */
  use(): () => void {
    const { slot } = this;
    this.slot = null;
    return () => slot?.release();
  }

  private async acquire(
    total: Pick<EgressTotal, 'acquire'>,
    requested: NonNullable<typeof this.requested>,
  ): Promise<void> {
    const slot = await total.acquire(requested.by, requested.abort.signal);
    if (slot === null) return;
    if (this.requested !== requested) return slot.release();
    this.requested = null;
    this.slot = slot;
    this.onSlot();
  }
}
