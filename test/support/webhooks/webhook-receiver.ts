import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A received request. */
export interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface WebhookBody {
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

/** The response of a receiver. */
export type Behaviour = (response: ServerResponse, received: Received) => void;

export const answering =
  (status: number, headers: Record<string, string> = {}, body: string | Buffer = ''): Behaviour =>
  (response) =>
    void response.writeHead(status, headers).end(body);

/** Sends nothing and keeps the connection open. */
export const silent: Behaviour = () => undefined;

/** A receiver of webhooks on a real socket of this machine. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  /** Number of accepted connections. */
  connections = 0;
  behave: Behaviour = answering(204);
  private readonly waiting = new Set<() => void>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server);
    server.on('connection', () => receiver.connections++);
    server.on('request', (request, response) => void receiver.take(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hooks`;
  }

  get bodies(): WebhookBody[] {
    return this.received.map(({ body }) => JSON.parse(body) as WebhookBody);
  }

  /** Resolves after `count` requests. */
  async until(count: number): Promise<void> {
    while (this.received.length < count) await new Promise<void>((resolve) => this.waiting.add(resolve));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const headers = request.headers as Record<string, string>;
    const received = { path: request.url ?? '', headers, body: Buffer.concat(pieces).toString() };
    this.received.push(received);
    this.behave(response, received);
    for (const wake of this.waiting) wake();
    this.waiting.clear();
  }
}

/** Verifies with the official library. @throws if the signature is not valid. */
export function verified({ headers, body }: Received, secret: string): WebhookBody {
  return new Webhook(secret).verify(body, headers) as WebhookBody;
}
