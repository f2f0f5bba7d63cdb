import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../kernel/clock.js';

/** Draining ends when no request has arrived for this time. */
const QUIET_MS = 500;
const MAX_DRAIN_MS = 3_000;
const POLL_MS = 50;

interface Connection {
  readonly responses: Set<ServerResponse>;
  /** Number of idle checks since the last request. */
  idleChecks: number;
}

/**
 * Closes keep-alive connections without a reset. A client may send its next request at the moment when
 * the connection is closed. So `Connection: close` is sent with the next response first (RFC 9112 §9.6),
 * and new connections are still accepted.
 */
export class ConnectionDrainer {
  private readonly connections = new Map<Socket, Connection>();
  private lastRequestMs = -Infinity;
  private isDraining = false;

  constructor(
    server: Server,
    private readonly clock: Clock,
  ) {
    server.prependListener('connection', (socket: Socket) => {
      this.connections.set(socket, { responses: new Set(), idleChecks: 0 });
      socket.once('close', () => this.connections.delete(socket));
    });
    server.prependListener('request', ({ socket }, response: ServerResponse) => {
      // One of thousands in the packet for which the connection was destroyed.
      if (socket.destroyed) return;
      if (this.isDraining) this.announceClose(response);
      const connection = this.connections.get(socket);
      if (connection === undefined) return;
      connection.idleChecks = 0;
      connection.responses.add(response);
      response.once('close', () => connection.responses.delete(response));
    });
  }

  /** Resolves when no request has arrived for a while. Running requests continue. */
  async drain(): Promise<void> {
    this.isDraining = true;
    for (const { responses } of this.connections.values())
      for (const response of responses) this.announceClose(response);
    const start = this.clock.monotonicMs();
    this.lastRequestMs = start;
    for (
      let now = start;
      this.hasRecentRequest(now) && now - start < MAX_DRAIN_MS;
      now = this.clock.monotonicMs()
    )
      await this.clock.pause(POLL_MS);
  }

  /**
   * Destroys connections that were idle at this and the previous call, since a request may be in
   * transit. This includes connections with incomplete headers: Node considers them active, and
   * `server.close()` stops the timer that enforces `headersTimeout`.
   */
  closeIdle(): void {
    for (const [socket, connection] of this.connections)
      if (connection.responses.size === 0 && connection.idleChecks++ > 0) socket.destroy();
  }

  private hasRecentRequest(now: number): boolean {
    return now - this.lastRequestMs < QUIET_MS;
  }

  private announceClose(response: ServerResponse): void {
    this.lastRequestMs = this.clock.monotonicMs();
    if (!response.headersSent) response.shouldKeepAlive = false;
  }
}
