import type { Socket } from 'node:net';
import type { Clock } from '../../../kernel/clock.js';
import { DialFailure, Dialler } from '../../../platform/net/dialler.js';
import type { EgressOutage } from '../egress-outage.js';

/** Records whether connections by an egress succeed. */
export class MonitoredDialler extends Dialler {
  constructor(
    private readonly dialler: Dialler,
    private readonly outage: EgressOutage,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async dial(ip: string, port: number, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
    try {
      const socket = await this.dialler.dial(ip, port, timeoutMs, signal);
      this.outage.succeeded();
      return socket;
    } catch (failure) {
      const side = failure instanceof DialFailure ? failure.side : 'undecided';
      if (side === 'egress') this.outage.failed(ip, this.clock.monotonicMs());
      // The server refused the connection, so the egress works.
      else if (side === 'target') this.outage.succeeded();
      throw failure;
    }
  }
}
