import type { Socket } from 'node:net';
import type { Clock } from '../../../kernel/clock.js';
import { Dialler } from '../../../platform/net/dialler.js';
import { HandshakePace } from '../../../platform/net/handshake-pace.js';

/**
 * Connects at the pace at which an egress accepts handshakes. A connection that waited there instead would
 * count as a failure of the egress.
 */
export class PacedDialler extends Dialler {
  private readonly pace = new HandshakePace();

  constructor(
    private readonly dialler: Dialler,
    private readonly clock: Clock,
  ) {
    super();
  }

  /** The wait is not part of the timeout. */
  override async dial(ip: string, port: number, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
    const waitMs = this.pace.take(this.clock.monotonicMs());
    if (waitMs > 0) await this.clock.pause(waitMs, signal);
    return this.dialler.dial(ip, port, timeoutMs, signal);
  }
}
