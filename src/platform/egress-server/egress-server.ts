import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { pipeline } from 'node:stream';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import type { Clock } from '../../kernel/clock.js';
import { withDeadline } from '../../kernel/deadline.js';
import { nonGlobalRange, type AddressPolicy } from '../net/address-policy.js';
import { clientNetworkOf } from '../net/client-network.js';
import { DirectDialler } from '../net/dialler.js';
import { HOST_UNREACHABLE, NOT_ALLOWED, SUCCEEDED } from '../net/socks-protocol.js';
import { Logins, MAX_CONNECTIONS } from './egress-bounds.js';
import type { EgressIdentity } from './egress-identity.js';
import { readLogin, readRequest, replyOf } from './socks-server-session.js';
import { Strangers } from './strangers.js';

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
  /** Clients that have logged in, and those of networks that have lately. */
  private readonly clients = new Map<string, Socket>();
  private readonly strangers: Strangers;
  private readonly logins = new Logins();
  private readonly stepMs: number;
  private readonly tcp: Server;
  private readonly tls: TlsServer;

  private constructor(private readonly options: EgressServerOptions) {
    const { key, certificate } = options.identity;
    this.stepMs = options.stepMs ?? STEP_MS;
    this.strangers = new Strangers(options.clock);
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
    return this.clients.size + this.strangers.size;
  }

  async close(): Promise<void> {
    const closed = once(this.tcp, 'close');
    this.tcp.close();
    for (const client of this.clients.values()) client.destroy();
    this.strangers.close();
    await closed;
  }

  /** The handshake begins when the client has sent something and, of a stranger, when it is its turn. */
  private async accept(client: Socket): Promise<void> {
    client.on('error', () => undefined);
    // It was reset before, and nothing tells it from another one.
    if (client.remoteAddress === undefined) return void client.destroy();
    const network = networkOf(client);
    const isKnown = this.logins.isKnown(network, this.options.clock.monotonicMs());
    if (
      this.isWaiting(client) ||
      !(isKnown ? this.admit(client) : this.strangers.add(idOf(client), client, network))
    ) {
      client.destroy();
      return;
    }
    try {
      await within(client, this.stepMs, once(client, 'readable'));
      if (!isKnown) await within(client, this.stepMs, this.strangers.turnOf(idOf(client)));
      if (!client.destroyed) this.tls.emit('connection', client);
    } catch {
      client.destroy();
    }
  }

  /** @returns false: as many clients are connected as may be. */
  private admit(client: Socket): boolean {
    const id = idOf(client);
    if (this.clients.has(id)) return true;
    if (this.clients.size >= MAX_CONNECTIONS) return false;
    this.clients.set(id, client);
    client.once('close', () => this.clients.delete(id));
    return true;
  }

  /** @returns false: as many clients are connected as may be. */
  private loggedIn(client: Socket, network: string): boolean {
    this.logins.succeeded(network, this.options.clock.monotonicMs());
    this.strangers.remove(idOf(client));
    // The other connections of an installation wait no longer.
    this.strangers.admitAll(network);
    return this.admit(client);
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
      // It is both ends of the pipeline, which listens to each.
      client.setMaxListeners(20);
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
    if (!this.loggedIn(client, network)) {
      client.destroy();
      return null;
    }
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

/** The same for a connection and for the TLS inside it. */
function idOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

function isOwn(ip: string): boolean {
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === ip),
  );
}

/** @throws Error if it takes longer, or the connection is closed. The connection is then destroyed. */
async function within<T>(client: Socket, ms: number, step: Promise<T>): Promise<T> {
  const closed = new AbortController();
  const onClose = () => closed.abort();
  client.once('close', onClose);
  try {
    const done = await withDeadline(ms, closed.signal, async () => ({ result: await step }));
    if (done !== null) return done.result;
    client.destroy();
    throw new Error('the client took too long, or closed the connection');
  } finally {
    client.off('close', onClose);
  }
}
