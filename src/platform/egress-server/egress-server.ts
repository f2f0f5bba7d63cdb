import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { pipeline } from 'node:stream';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import type { Clock } from '../../kernel/clock.js';
import { nonGlobalRange, type AddressPolicy } from '../net/address-policy.js';
import { clientNetworkOf } from '../net/client-network.js';
import { DirectDialler } from '../net/dialler.js';
import { HOST_UNREACHABLE, NOT_ALLOWED, SUCCEEDED } from '../net/socks-protocol.js';
import { HandshakePace, Logins, MAX_CONNECTIONS } from './egress-bounds.js';
import type { EgressIdentity } from './egress-identity.js';
import { readLogin, readRequest, replyOf } from './socks-server-session.js';

export interface EgressServerOptions {
  identity: EgressIdentity;
  listen: { host: string; port: number };
  /** The only port that is dialled. */
  targetPort: number;
  /** Which addresses may be dialled. */
  policy: AddressPolicy;
  clock: Clock;
  /** Whether a public address is one of this machine; default: those of its network interfaces. */
  isOwnAddress?: (ip: string) => boolean;
  /** Until the first octet of TLS, for the handshake, and for the login with the request; default: 10 s. */
  stepMs?: number;
}

const STEP_MS = 10_000;
/** Longer than a client waits for a connection. */
const DIAL_MS = 60_000;
/** Longer than a mail server waits for a command (RFC 5321 §4.5.3.2.7). */
const IDLE_MS = 600_000;

/**
 * A SOCKS5 server inside TLS that connects one user to one port of public addresses. A stolen password
 * opens that port and nothing else: no other port, no name, no private address, no service of this machine.
 */
export class EgressServer {
  private readonly clients = new Set<Socket>();
  private readonly logins = new Logins();
  private readonly pace = new HandshakePace();
  /** Strangers whose handshake is delayed. */
  private readonly waiting = new Set<{ network: string; until: AbortController }>();
  private readonly stepMs: number;
  private readonly tcp: Server;
  private readonly tls: TlsServer;

  private constructor(private readonly options: EgressServerOptions) {
    const { key, certificate } = options.identity;
    this.stepMs = options.stepMs ?? STEP_MS;
    const limits = { minVersion: 'TLSv1.3', handshakeTimeout: this.stepMs } as const;
    this.tls = createTlsServer({ key, cert: certificate, ...limits }, (client) => void this.serve(client));
    this.tls.on('tlsClientError', (_, client) => client.destroy());
    this.tcp = createTcpServer({ noDelay: true, keepAlive: true }, (client) => void this.accept(client));
  }

  /** Resolves when it accepts connections. */
  static async start(options: EgressServerOptions): Promise<EgressServer> {
    const server = new EgressServer(options);
    server.tcp.listen(options.listen);
    await once(server.tcp, 'listening');
    return server;
  }

  get port(): number {
    return (this.tcp.address() as AddressInfo).port;
  }

  /** Open connections of clients. */
  get connections(): number {
    return this.clients.size;
  }

  async close(): Promise<void> {
    for (const { until } of this.waiting) until.abort();
    const closed = once(this.tcp, 'close');
    this.tcp.close();
    for (const client of this.clients) client.destroy();
    await closed;
  }

  /** The handshake begins when the client has sent something and the pace allows it. */
  private async accept(client: Socket): Promise<void> {
    client.on('error', () => undefined);
    if (this.clients.size >= MAX_CONNECTIONS || this.isWaiting(client)) {
      client.destroy();
      return;
    }
    this.clients.add(client);
    client.once('close', () => this.clients.delete(client));
    try {
      await within(client, this.stepMs, once(client, 'readable'));
      await this.turnOf(networkOf(client));
      if (!client.destroyed) this.tls.emit('connection', client);
    } catch {
      client.destroy();
    }
  }

  /** Only strangers wait: an installation opens hundreds of connections at the start of a list. */
  private async turnOf(network: string): Promise<void> {
    const { clock } = this.options;
    if (this.logins.isKnown(network, clock.monotonicMs())) return;
    const waitMs = this.pace.consume(clock.monotonicMs());
    if (waitMs === 0) return;
    const waiting = { network, until: new AbortController() };
    this.waiting.add(waiting);
    await clock.pause(waitMs, waiting.until.signal);
    this.waiting.delete(waiting);
  }

  private loggedIn(network: string): void {
    this.logins.succeeded(network, this.options.clock.monotonicMs());
    for (const client of this.waiting) if (client.network === network) client.until.abort();
  }

  private async serve(client: Socket): Promise<void> {
    client.on('error', () => undefined);
    client.setTimeout(IDLE_MS, () => client.destroy());
    try {
      const request = await within(client, this.stepMs, this.requestOf(client));
      if (request === null) return;
      const target = await this.dial(request, client);
      if (target === null) return;
      client.write(replyOf(SUCCEEDED));
      // Destroys both when one of them fails, and passes on what was sent before an end.
      pipeline(client, target, client, () => {
        target.destroy();
        client.destroy();
      });
    } catch {
      client.destroy();
    }
  }

  /** @returns null: the client was told why not. */
  private async requestOf(client: Socket): Promise<{ ip: string; port: number } | null> {
    const network = networkOf(client);
    // Connections of this network may have failed to log in since this one was accepted.
    if (this.isWaiting(client)) {
      client.destroy();
      return null;
    }
    if (!(await readLogin(client, this.isUser))) {
      this.logins.failed(network, this.options.clock.monotonicMs());
      return null;
    }
    this.loggedIn(network);
    const request = await readRequest(client);
    const reply = 'reply' in request ? request.reply : this.replyTo(request);
    if (reply !== SUCCEEDED || 'reply' in request) {
      client.end(replyOf(reply));
      return null;
    }
    return request;
  }

  private replyTo({ ip, port }: { ip: string; port: number }): number {
    const { policy, targetPort, isOwnAddress = isOwn } = this.options;
    // A mail server of this machine may trust its own public address.
    const isPermitted = policy.allows(ip) && !(nonGlobalRange(ip) === null && isOwnAddress(ip));
    return port === targetPort && isPermitted ? SUCCEEDED : NOT_ALLOWED;
  }

  private async dial({ ip, port }: { ip: string; port: number }, client: Socket): Promise<Socket | null> {
    const gone = new AbortController();
    const abort = () => gone.abort();
    client.once('close', abort);
    try {
      return await new DirectDialler().dial(ip, port, DIAL_MS, gone.signal);
    } catch {
      client.end(replyOf(HOST_UNREACHABLE));
      return null;
    } finally {
      client.off('close', abort);
    }
  }

  private isWaiting(client: Socket): boolean {
    return this.logins.isWaiting(networkOf(client), this.options.clock.monotonicMs());
  }

  private readonly isUser = (username: Buffer, password: Buffer): boolean => {
    const { identity } = this.options;
    // Both are compared, in constant time.
    const isName = areEqual(username, identity.username);
    return areEqual(password, identity.password) && isName;
  };
}

function areEqual(sent: Buffer, expected: string): boolean {
  const digest = (text: Buffer | string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(sent), digest(expected));
}

function networkOf({ remoteAddress = '' }: Socket): string {
  return clientNetworkOf(remoteAddress);
}

function isOwn(ip: string): boolean {
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === ip),
  );
}

/** @throws Error if it takes longer, or the connection is closed. The connection is then destroyed. */
async function within<T>(client: Socket, ms: number, step: Promise<T>): Promise<T> {
  const timer = setTimeout(() => client.destroy(), ms);
  let onClose = () => {};
  // Not `once()` with a signal, which creates errors when it is aborted: two for each step that succeeds.
  const closed = new Promise<never>((_, reject) => {
    onClose = () => reject(new Error('closed'));
    client.once('close', onClose);
  });
  try {
    return await Promise.race([step, closed]);
  } finally {
    clearTimeout(timer);
    client.off('close', onClose);
  }
}
