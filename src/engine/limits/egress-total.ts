import type { Requester } from '../../kernel/concurrency/fair-queue.js';
import { FairSemaphore, type Slot } from '../../kernel/concurrency/fair-semaphore.js';
import type { LimitName } from './connection-limit.js';
import { EGRESS_ITSELF, type ConnectionPermits, type ProviderPermits } from './connection-permits.js';

/** Permits requested in advance, so that few connections wait for the store. */
const SPARE = 10;
/** Part of the connections for teams that have few, so that a list does not take all. */
const RESERVED = 1 / 10;
const FEW = 3;

/**
 * The connections that an egress accepts from all processes of the installation together, and the part of this
 * process: single calls before lists, and teams in turns.
 */
export class EgressTotal {
  private readonly permits: ProviderPermits;
  private readonly semaphore: FairSemaphore;

  constructor(
    egress: string,
    private readonly connections: number,
    permits: ConnectionPermits,
  ) {
    this.permits = permits.permitsFor(egress, EGRESS_ITSELF, () => this.semaphore.serve());
    const own = () => Math.min(connections, this.permits.allowed);
    this.semaphore = new FairSemaphore({
      get total() {
        return own();
      },
      perKey: connections,
      get reserved() {
        return { slots: Math.floor(own() * RESERVED), few: FEW };
      },
    });
  }

  /** Waits for a connection. @returns null: the signal aborted. */
  async acquire(requester: Requester, signal: AbortSignal): Promise<Slot | null> {
    const acquired = this.semaphore.acquire(requester, signal);
    this.report();
    const slot = await acquired;
    this.report();
    if (slot === null) return null;
    this.permits.onOpening();
    return {
      release: () => {
        slot.release();
        this.report();
      },
    };
  }

  private get blockedBy(): LimitName {
    return this.permits.allowed < this.connections ? 'processes' : 'egress';
  }

  private report(): void {
    const { inUse: held, waiting: queued } = this.semaphore;
    const { connections: limit } = this;
    const wanted = held + queued === 0 ? 0 : Math.max(held, Math.min(limit, held + queued + SPARE));
    const blockedBy = queued === 0 ? null : this.blockedBy;
    this.permits.update({ held, open: held, idle: 0, wanted, queued, blockedBy, limit, isLearned: false });
  }
}
