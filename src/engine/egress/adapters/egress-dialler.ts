import type { Socket } from 'node:net';
import type { Clock } from '../../../kernel/clock.js';
import { FairSemaphore, type Slot } from '../../../kernel/concurrency/fair-semaphore.js';
import { DialFailure, Dialler, type DialRequester } from '../../../platform/net/dialler.js';
import type { ServerPermits } from '../../limits/connection-permits.js';
import type { EgressOutage } from '../egress-outage.js';

/** The connections that an egress accepts from all processes of the installation together. */
export interface EgressTotal {
  connections: number;
  /** @param onChange is called when more connections may be allowed. */
  permits: (onChange: () => void) => ServerPermits;
}

export interface EgressDiallerOptions {
  dialler: Dialler;
  outage: EgressOutage;
  clock: Clock;
  /** null: the egress has no limit of its own. */
  total: EgressTotal | null;
}

const NOBODY: DialRequester = { team: '', priority: 'list' };
/** Permits requested in advance, so that few dials wait for the store. */
const SPARE = 10;
/** Part of the connections for teams that have few, so that a list does not take all. */
const RESERVED = 1 / 10;
const FEW = 3;

/** Connects through one egress, and records whether connections succeed. */
export class EgressDialler extends Dialler {
  private readonly slots: EgressSlots | null;

  constructor(private readonly options: EgressDiallerOptions) {
    super();
    this.slots = options.total && new EgressSlots(options.total);
  }

  /** Waits for a connection of the total, single calls before lists and teams in turns, without the timeout. */
  override async dial(
    ip: string,
    port: number,
    timeoutMs: number,
    signal: AbortSignal,
    requester: DialRequester = NOBODY,
  ): Promise<Socket> {
    const { dialler, outage, clock } = this.options;
    // null with slots: the signal aborted, and the dialler fails with its reason.
    requester.onWait?.(true);
    const slot = this.slots === null ? null : await this.slots.acquire(requester, signal);
    requester.onWait?.(false);
    try {
      const socket = await dialler.dial(ip, port, timeoutMs, signal);
      outage.succeeded();
      if (socket.closed) slot?.release();
      else socket.once('close', () => slot?.release());
      return socket;
    } catch (failure) {
      slot?.release();
      const { side, message } = failure instanceof DialFailure ? failure : { side: 'undecided', message: '' };
      if (side === 'egress') outage.failed(ip, clock.monotonicMs(), message);
      // The server refused the connection, so the egress works.
      else if (side === 'target') outage.succeeded();
      throw failure;
    }
  }
}

/** The part of the total that this process has. */
class EgressSlots {
  private readonly permits: ServerPermits;
  private readonly semaphore: FairSemaphore;

  constructor(private readonly total: EgressTotal) {
    const { connections } = total;
    this.permits = total.permits(() => this.semaphore.serve());
    const { permits } = this;
    this.semaphore = new FairSemaphore({
      get total() {
        return Math.min(connections, permits.allowed);
      },
      perKey: connections,
      get reserved() {
        return { slots: Math.floor(Math.min(connections, permits.allowed) * RESERVED), few: FEW };
      },
    });
  }

  async acquire(requester: DialRequester, signal: AbortSignal): Promise<Slot | null> {
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

  private report(): void {
    const { inUse: held, waiting: queued } = this.semaphore;
    const { connections: limit } = this.total;
    const wanted = held + queued === 0 ? 0 : Math.max(held, Math.min(limit, held + queued + SPARE));
    this.permits.update({ held, open: held, idle: 0, wanted, queued, limit });
  }
}
