import type { Socket } from 'node:net';
import { DialFailure, Dialler } from '../../../platform/net/dialler.js';

/** Records whether the last connection attempts through the proxy failed. */
export class MonitoredDialler extends Dialler {
  isBroken = false;

  constructor(private readonly dialler: Dialler) {
    super();
  }

  override async dial(ip: string, port: number, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
    try {
      const socket = await this.dialler.dial(ip, port, timeoutMs, signal);
      this.isBroken = false;
      return socket;
    } catch (failure) {
      if (failure instanceof DialFailure && failure.fault !== 'undecided')
        this.isBroken = failure.fault === 'proxy';
      throw failure;
    }
  }
}
