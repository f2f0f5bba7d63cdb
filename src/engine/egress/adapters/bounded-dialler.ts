import type { Socket } from 'node:net';
import { Dialler } from '../../../platform/net/dialler.js';

/** Fewer than `rcpt egress` accepts, because it notices the end of a connection a little later. */
const MAX_CONNECTIONS = 180;

/**
 * Opens at most as many connections as an egress accepts. One that it closes instead would count as a failure of
 * the egress. The wait is not part of the timeout.
 */
export class BoundedDialler extends Dialler {
  private open = 0;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly dialler: Dialler) {
    super();
  }

  override async dial(ip: string, port: number, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
    if (this.open < MAX_CONNECTIONS) this.open += 1;
    else await this.nextFree(signal);
    try {
      const socket = await this.dialler.dial(ip, port, timeoutMs, signal);
      if (socket.closed) this.release();
      else socket.once('close', () => this.release());
      return socket;
    } catch (failure) {
      this.release();
      throw failure;
    }
  }

  /** Resolves with the place of a connection that was closed, or when the signal aborts, with one more. */
  private nextFree(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const acquire = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        this.waiting.delete(acquire);
        this.open += 1;
        resolve();
      };
      this.waiting.add(acquire);
      signal.addEventListener('abort', giveUp, { once: true });
      if (signal.aborted) giveUp();
    });
  }

  private release(): void {
    const [next] = this.waiting;
    if (next === undefined) this.open -= 1;
    else {
      this.waiting.delete(next);
      next();
    }
  }
}
