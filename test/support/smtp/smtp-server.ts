import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { HANG_UP, type Reaction, type SmtpBehaviour } from './smtp-behaviours.js';
import type { Certificate } from '../tls/self-signed.js';
import { testCertificate } from './smtp-certificate.js';
import { SmtpSession } from './smtp-session.js';

export interface SmtpServerOptions {
  behaviour: SmtpBehaviour;
  /** A loopback address: 127.0.0.1, on Linux any of 127.0.0.0/8. */
  host?: string;
  /** 0: any free port. */
  port?: number;
  /** Servers of one provider, which counts their sessions together. */
  group?: ServerGroup;
}

export interface ServerGroup {
  /** More connections at once are rejected with 421. */
  most: number;
  open: number;
  peak: number;
}

/**
 * A scripted mail server on a real socket, with a transcript of received commands.
 *
 * ```ts
 * const server = await SmtpServer.start({ behaviour: mailboxes('jane') });
 * // … dial server.host, server.port …
 * expect(server.commands).toContain('RCPT TO:<jane@example.test>');
 * await server.stop();
 * ```
 */
export class SmtpServer {
  /** All received lines of all connections, in order. */
  readonly commands: string[] = [];
  /** The source addresses of accepted connections, in order. */
  readonly clients: string[] = [];
  /** Number of accepted connections. */
  connections = 0;
  /** Maximum number of concurrent connections. */
  maxConcurrent = 0;
  /** RCPT commands by sender and recipient, for greylisting. */
  readonly triplets = new Map<string, { times: number; firstMs: number }>();
  private readonly sockets = new Set<Socket>();
  private readonly open = new Set<Socket>();
  /** Open connections, and closed ones that still count (`lagMs`). */
  private counted = 0;
  private readonly watchers = new Set<() => void>();

  private constructor(
    private script: SmtpBehaviour,
    private readonly server: Server,
    readonly certificate: Certificate,
    private readonly group: ServerGroup,
  ) {
    server.on('connection', (socket: Socket) => this.take(socket));
  }

  static async start({
    behaviour,
    host = '127.0.0.1',
    port = 0,
    group,
  }: SmtpServerOptions): Promise<SmtpServer> {
    const server = createServer({ noDelay: true });
    const certificate = await testCertificate();
    server.listen(port, host);
    await once(server, 'listening');
    return new SmtpServer(behaviour, server, certificate, group ?? { most: Infinity, open: 0, peak: 0 });
  }

  get behaviour(): SmtpBehaviour {
    return this.script;
  }

  /** Setting the behaviour closes all connections. */
  set behaviour(behaviour: SmtpBehaviour) {
    this.script = behaviour;
    this.dropAll();
  }

  get host(): string {
    return (this.server.address() as AddressInfo).address;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** The commands with this verb, without line ends. */
  commandsOf(verb: string): string[] {
    return this.commands.filter((line) => line.toUpperCase().startsWith(verb.toUpperCase()));
  }

  /** Resolves when the condition is true. */
  async until(holds: (server: this) => boolean): Promise<void> {
    while (!holds(this)) {
      await new Promise<void>((resolve) => this.watchers.add(resolve));
    }
  }

  /** Number of open connections. */
  get openConnections(): number {
    return this.open.size;
  }

  /** Closes all connections. */
  dropAll(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Closes all connections and the port. */
  async stop(): Promise<void> {
    this.dropAll();
    const closed = once(this.server, 'close');
    this.server.close();
    await closed;
  }

  /** Called by sessions for every received line. */
  record(line: string): void {
    this.commands.push(line);
    this.changed();
  }

  private take(socket: Socket): void {
    this.connections += 1;
    this.clients.push(socket.remoteAddress ?? '');
    this.open.add(socket);
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    this.maxConcurrent = Math.max(this.maxConcurrent, this.open.size);
    socket.on('error', () => undefined);
    this.counted += 1;
    this.group.open += 1;
    this.group.peak = Math.max(this.group.peak, this.group.open);
    const { lagMs } = this.behaviour;
    // A real server does not wait for the client's FIN before it takes the next connection.
    socket.on('finish', () => socket.emit('ended'));
    socket.on('close', () => socket.emit('ended'));
    socket.once('ended', () => {
      this.open.delete(socket);
      this.group.open -= 1;
      if (lagMs === 0) this.counted -= 1;
      else setTimeout(() => (this.counted -= 1), lagMs).unref();
      this.changed();
    });
    const isFull = this.group.open > this.group.most;
    const turnedAway = isFull || this.counted > this.behaviour.maxConnections;
    const behaviour = turnedAway ? { ...this.behaviour, banner: TOO_MANY } : this.behaviour;
    new SmtpSession(this, behaviour, socket).begin();
    this.changed();
  }

  private changed(): void {
    for (const resolve of this.watchers) resolve();
    this.watchers.clear();
  }
}

const TOO_MANY: Reaction = ['421 4.7.0 mx.test Error: too many connections from 127.0.0.1', HANG_UP];
