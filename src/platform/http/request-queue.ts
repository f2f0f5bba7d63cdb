import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of a connection that wait for the responses before them. With one more the connection is closed. */
export const MAX_WAITING_REQUESTS = 16;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

interface Connection {
  current: ServerResponse;
  waiting: Exchange[];
}

/**
 * Handles the requests of each connection one after the other (RFC 9112 §9.3.2). Node emits all requests
 * of a packet at once, up to thousands, and keeps their responses in memory until the client reads them.
 */
export class RequestQueue {
  private readonly connections = new WeakMap<Socket, Connection>();

  constructor(private readonly listener: RequestListener) {}

  /** The response that is being made or sent; null: none. */
  responseOn(socket: Socket): ServerResponse | null {
    return this.connections.get(socket)?.current ?? null;
  }

  add(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    // Node parses the rest of the packet also after the connection was destroyed.
    if (socket.destroyed) return;
    const connection = this.connections.get(socket);
    if (connection === undefined) return this.start({ request, response }, []);
    if (connection.waiting.length >= MAX_WAITING_REQUESTS) return void socket.destroy();
    connection.waiting.push({ request, response });
  }

  private start({ request, response }: Exchange, waiting: Exchange[]): void {
    const { socket } = request;
    this.connections.set(socket, { current: response, waiting });
    // After the last byte was given to the system, or the connection was closed.
    response.once('close', () => {
      this.connections.delete(socket);
      const next = waiting.shift();
      // Not after the last response of the connection.
      if (next !== undefined && socket.writable) this.start(next, waiting);
    });
    this.listener(request, response);
  }
}
