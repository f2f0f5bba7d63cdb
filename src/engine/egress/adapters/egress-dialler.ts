import type { Socket } from 'node:net';
import type { Clock } from '../../../kernel/clock.js';
import { FairSemaphore } from '../../../kernel/concurrency/fair-semaphore.js';
import { DialFailure, Dialler } from '../../../platform/net/dialler.js';
import type { EgressOutage } from '../egress-outage.js';

const ALL = { tenant: '', priority: 'single' } as const;

/** Connects through one egress, and records whether connections succeed. */
export class EgressDialler extends Dialler {
  private readonly slots: FairSemaphore;

  /** @param maxConnections further ones wait, without the timeout of a connection. */
  constructor(
    private readonly dialler: Dialler,
    private readonly outage: EgressOutage,
    private readonly clock: Clock,
    maxConnections: number,
  ) {
    super();
    this.slots = new FairSemaphore({ total: maxConnections, perKey: maxConnections });
  }

  override async dial(ip: string, port: number, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
    // null: the signal aborted, and the dialler fails with its reason.
    const slot = await this.slots.acquire(ALL, signal);
    try {
      const socket = await this.dialler.dial(ip, port, timeoutMs, signal);
      this.outage.succeeded();
      if (socket.closed) slot?.release();
      else socket.once('close', () => slot?.release());
      return socket;
    } catch (failure) {
      slot?.release();
      const side = failure instanceof DialFailure ? failure.side : 'undecided';
      if (side === 'egress') this.outage.failed(ip, this.clock.monotonicMs());
      // The server refused the connection, so the egress works.
      else if (side === 'target') this.outage.succeeded();
      throw failure;
    }
  }
}
