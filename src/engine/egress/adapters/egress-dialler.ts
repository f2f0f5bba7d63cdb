import type { Socket } from 'node:net';
import type { Clock } from '../../../kernel/clock.js';
import { DialFailure, Dialler } from '../../../platform/net/dialler.js';
import type { EgressOutage } from '../egress-outage.js';

export interface EgressDiallerOptions {
  dialler: Dialler;
  outage: EgressOutage;
  clock: Clock;
}

/** Connects through one egress, and records whether connections succeed. */
export class EgressDialler extends Dialler {
  constructor(private readonly options: EgressDiallerOptions) {
    super();
  }

  override async dial(ip: string, port: number, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
    const { dialler, outage, clock } = this.options;
    try {
      const socket = await dialler.dial(ip, port, timeoutMs, signal);
      outage.succeeded();
      return socket;
    } catch (failure) {
      const { side, message } = failure instanceof DialFailure ? failure : { side: 'undecided', message: '' };
      if (side === 'egress') outage.failed(ip, clock.monotonicMs(), message);
      // The server refused the connection, so the egress works.
      else if (side === 'target') outage.succeeded();
      throw failure;
    }
  }
}
