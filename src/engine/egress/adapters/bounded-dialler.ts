import type { Socket } from 'node:net';
import { FairSemaphore } from '../../../kernel/concurrency/fair-semaphore.js';
import { Dialler } from '../../../platform/net/dialler.js';

/** Fewer than `rcpt egress` accepts, because it notices the end of a connection a little later. */
const MAX_CONNECTIONS = 180;
const ALL = { tenant: '', priority: 'single' } as const;

/**
 * Opens at most as many connections as an egress accepts. One that it closes instead would count as a failure of
 * the egress. The wait is not part of the timeout.
 */
export class BoundedDialler extends Dialler {
  private readonly slots = new FairSemaphore({ total: MAX_CONNECTIONS, perKey: MAX_CONNECTIONS });

  constructor(private readonly dialler: Dialler) {
    super();
  }

  override async dial(ip: string, port: number, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
    // null: the signal aborted, and the dialler fails with its reason.
    const slot = await this.slots.acquire(ALL, signal);
    try {
      const socket = await this.dialler.dial(ip, port, timeoutMs, signal);
      if (socket.closed) slot?.release();
      else socket.once('close', () => slot?.release());
      return socket;
    } catch (failure) {
      slot?.release();
      throw failure;
    }
  }
}
