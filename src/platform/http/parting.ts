import type { Server, ServerResponse } from 'node:http';
import type { Clock } from '../../kernel/clock.js';

/** Clients that ask again within this time have heard that they must ask elsewhere. */
const QUIET_MS = 500;
const LONGEST_MS = 3_000;
const LOOK_MS = 50;

/**
 * Parts with clients without a reset. A client on a kept connection may send its next request in the
 * very moment in which that connection is closed; so each is told first, with its next answer
 * (RFC 9112 §9.6), while new connections are still taken.
 */
export class Parting {
  private readonly underWay = new Set<ServerResponse>();
  private lastAskedMs = -Infinity;
  private hasBegun = false;

  constructor(
    server: Server,
    private readonly clock: Clock,
  ) {
    server.prependListener('request', (_, response: ServerResponse) => {
      if (this.hasBegun) this.tell(response);
      this.underWay.add(response);
      response.once('close', () => this.underWay.delete(response));
    });
  }

  /** Resolves when nobody has asked for a while, whatever is still under way. */
  async takeLeave(): Promise<void> {
    this.hasBegun = true;
    for (const response of this.underWay) this.tell(response);
    const begun = this.clock.monotonicMs();
    this.lastAskedMs = begun;
    for (let now = begun; this.isAsked(now) && now - begun < LONGEST_MS; now = this.clock.monotonicMs())
      await this.clock.pause(LOOK_MS);
  }

  private isAsked(now: number): boolean {
    return now - this.lastAskedMs < QUIET_MS;
  }

  private tell(response: ServerResponse): void {
    this.lastAskedMs = this.clock.monotonicMs();
    if (!response.headersSent) response.shouldKeepAlive = false;
  }
}
