import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { HANG_UP, type Reaction, type SmtpBehaviour } from './smtp-behaviours.js';
import { testCertificate, type Certificate } from './smtp-certificate.js';
import { SmtpSession } from './smtp-session.js';

export interface SmtpServerOptions {
  behaviour: SmtpBehaviour;
  /** An address of this machine: 127.0.0.1, and on Linux all of 127.0.0.0/8. */
  host?: string;
  /** 0 takes one that is free. */
  port?: number;
}

/**
 * A scripted mail server on a real socket, with a transcript of what it was sent.
 *
 * ```ts
 * const server = await SmtpServer.start({ behaviour: mailboxes('jane') });
 * // … dial server.host, server.port …
 * expect(server.commands).toContain('RCPT TO:<jane@example.test>');
 * await server.stop();
 * ```
 */
export class SmtpServer {
  /** Every line that came, in order, over all connections. */
  readonly commands: string[] = [];
  /** Connections taken so far. */
  connections = 0;
  /** The most that were open at once. */
  mostAtOnce = 0;
  /** How often each sender and recipient were asked about: what greylisting remembers. */
  readonly triplets = new Map<string, number>();
  private readonly open = new Set<Socket>();
  /** Open ones, and those that were closed and are not yet forgotten. */
  private counted = 0;
  private readonly watchers = new Set<() => void>();

  private constructor(
    private script: SmtpBehaviour,
    private readonly server: Server,
    readonly certificate: Certificate,
  ) {
    server.on('connection', (socket: Socket) => this.take(socket));
  }

  static async start({ behaviour, host = '127.0.0.1', port = 0 }: SmtpServerOptions): Promise<SmtpServer> {
    const server = createServer({ noDelay: true });
    const certificate = await testCertificate();
    server.listen(port, host);
    await once(server, 'listening');
    return new SmtpServer(behaviour, server, certificate);
  }

  get behaviour(): SmtpBehaviour {
    return this.script;
  }

  /** A server that is set up anew starts anew: who is connected is cut off. */
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

  /** The commands whose verb this is, without their line ends. */
  asked(verb: string): string[] {
    return this.commands.filter((line) => line.toUpperCase().startsWith(verb.toUpperCase()));
  }

  /** Resolves as soon as the server's state is so; for what happens after a client has its answer. */
  async until(holds: (server: this) => boolean): Promise<void> {
    while (!holds(this)) {
      await new Promise<void>((resolve) => this.watchers.add(resolve));
    }
  }

  /** Connections open now. */
  get openConnections(): number {
    return this.open.size;
  }

  /** Cuts every connection. */
  dropAll(): void {
    for (const socket of this.open) socket.destroy();
  }

  /** Cuts every connection and closes the port. */
  async stop(): Promise<void> {
    this.dropAll();
    const closed = once(this.server, 'close');
    this.server.close();
    await closed;
  }

  /** Called by a session for every line it was sent. */
  record(line: string): void {
    this.commands.push(line);
    this.changed();
  }

  private take(socket: Socket): void {
    this.connections += 1;
    this.open.add(socket);
    this.mostAtOnce = Math.max(this.mostAtOnce, this.open.size);
    socket.on('error', () => undefined);
    this.counted += 1;
    const { lagMs } = this.behaviour;
    socket.on('close', () => {
      this.open.delete(socket);
      if (lagMs === 0) this.counted -= 1;
      else setTimeout(() => (this.counted -= 1), lagMs).unref();
      this.changed();
    });
    const turnedAway = this.counted > this.behaviour.maxConnections;
    const behaviour = turnedAway ? { ...this.behaviour, banner: TOO_MANY } : this.behaviour;
    new SmtpSession(this, behaviour, socket).begin();
    this.changed();
  }

  private changed(): void {
    for (const resolve of this.watchers) resolve();
    this.watchers.clear();
  }
}

const TOO_MANY: Reaction = ['421 4.7.0 mx.test Error: too many connections', HANG_UP];
