import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../kernel/clock.js';

/** Clients that ask again within this time have heard that they must ask elsewhere. */
const QUIET_MS = 500;
const LONGEST_MS = 3_000;
const LOOK_MS = 50;

interface Connection {
  readonly underWay: Set<ServerResponse>;
  /** How often it was found without a request since the last one. */
  timesIdle: number;
}

/**
 * Parts with clients without a reset. A client on a kept connection may send its next request in the
 * very moment in which that connection is closed; so each is told first, with its next answer
 * (RFC 9112 §9.6), while new connections are still taken.
 */
export class ConnectionDrainer {
  private readonly connections = new Map<Socket, Connection>();
  private lastAskedMs = -Infinity;
  private hasBegun = false;

  constructor(
    server: Server,
    private readonly clock: Clock,
  ) {
    server.prependListener('connection', (socket: Socket) => {
      this.connections.set(socket, { underWay: new Set(), timesIdle: 0 });
      socket.once('close', () => this.connections.delete(socket));
    });
    server.prependListener('request', ({ socket }, response: ServerResponse) => {
      if (this.hasBegun) this.tell(response);
      const connection = this.connections.get(socket);
      if (connection === undefined) return;
      connection.timesIdle = 0;
      connection.underWay.add(response);
      response.once('close', () => connection.underWay.delete(response));
    });
  }

  /** Resolves when nobody has asked for a while, whatever is still under way. */
  async drain(): Promise<void> {
    this.hasBegun = true;
    for (const { underWay } of this.connections.values())
      for (const response of underWay) this.tell(response);
    const begun = this.clock.monotonicMs();
    this.lastAskedMs = begun;
    for (let now = begun; this.isAsked(now) && now - begun < LONGEST_MS; now = this.clock.monotonicMs())
      await this.clock.pause(LOOK_MS);
  }

  /**
   * Destroys connections that have no request under way, nor had when this was called before: a
   * request may be on its way. One whose headers stay half sent is among them; Node takes it for busy,
   * and `server.close()` ends the timer that enforces `headersTimeout`.
   */
  closeIdle(): void {
    for (const [socket, connection] of this.connections)
      if (connection.underWay.size === 0 && connection.timesIdle++ > 0) socket.destroy();
  }

  private isAsked(now: number): boolean {
    return now - this.lastAskedMs < QUIET_MS;
  }

  private tell(response: ServerResponse): void {
    this.lastAskedMs = this.clock.monotonicMs();
    if (!response.headersSent) response.shouldKeepAlive = false;
  }
}
