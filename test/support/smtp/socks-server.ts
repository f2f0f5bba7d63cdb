import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A connect request of a client. */
export interface SocksRequest {
  addressType: 'ipv4' | 'ipv6' | 'name';
  /** The requested address; IPv6 in eight groups. */
  address: string;
  port: number;
}

export interface SocksBehaviour {
  /** Required credentials; null: no authentication. */
  account: { username: string; password: string } | null;
  /** The reply code (RFC 1928 §6); 0 connects to the target. */
  reply: number;
  /** Reaction instead of the reply at a stage. */
  instead: Partial<Record<SocksMoment, Buffer | 'silence' | 'close' | 'reset' | 'half'>>;
  /** The address type in a successful reply. */
  bound: 'ipv4' | 'ipv6' | 'name';
  /** The target of all requests, whatever address they contain. */
  leadsTo: { host: string; port: number } | null;
}

export type SocksMoment = 'greeting' | 'authentication' | 'request';

const OPEN_TO_ALL: SocksBehaviour = { account: null, reply: 0, instead: {}, bound: 'ipv4', leadsTo: null };

const BOUND: Readonly<Record<SocksBehaviour['bound'], Buffer>> = {
  ipv4: Buffer.from([1, 127, 0, 0, 1, 0, 0]),
  ipv6: Buffer.from([4, ...Array<number>(15).fill(0), 1, 0, 0]),
  name: Buffer.from([3, 5, ...Buffer.from('proxy'), 0, 0]),
};

/**
 * A scripted SOCKS5 proxy on a real socket (RFC 1928, RFC 1929), with a record of its requests.
 *
 * ```ts
 * const proxy = await SocksServer.start({ reply: 5 });
 * // … dial through proxy.host, proxy.port …
 * expect(proxy.requests).toEqual([{ addressType: 'ipv4', address: '192.0.2.1', port: 25 }]);
 * await proxy.stop();
 * ```
 */
export class SocksServer {
  readonly requests: SocksRequest[] = [];
  /** The methods that each client offered. */
  readonly offers: number[][] = [];
  connections = 0;
  private readonly open = new Set<Socket>();
  private readonly watchers = new Set<() => void>();

  private constructor(
    private readonly behaviour: SocksBehaviour,
    private readonly server: Server,
  ) {
    server.on('connection', (socket: Socket) => {
      this.connections += 1;
      void this.serve(this.keep(socket)).catch(() => socket.destroy());
    });
  }

  static async start(behaviour: Partial<SocksBehaviour> = {}, port = 0): Promise<SocksServer> {
    const server = createServer({ noDelay: true });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return new SocksServer({ ...OPEN_TO_ALL, ...behaviour }, server);
  }

  get host(): string {
    return (this.server.address() as AddressInfo).address;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Number of open sockets, to clients and targets. */
  get openSockets(): number {
    return this.open.size;
  }

  /** Resolves when the condition is true. */
  async until(holds: (server: this) => boolean): Promise<void> {
    while (!holds(this)) await new Promise<void>((resolve) => this.watchers.add(resolve));
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.open) socket.destroy();
    await closed;
  }

  private keep(socket: Socket): Socket {
    this.open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.open.delete(socket);
      this.changed();
    });
    this.changed();
    return socket;
  }

  private changed(): void {
    for (const resolve of this.watchers) resolve();
    this.watchers.clear();
  }

  private async serve(client: Socket): Promise<void> {
    const [, count = 0] = await take(client, 2);
    const methods = [...(await take(client, count))];
    this.offers.push(methods);
    const method = this.behaviour.account === null ? 0 : 2;
    const welcome = methods.includes(method) ? method : 0xff;
    if (!this.say(client, 'greeting', Buffer.of(5, welcome))) return;
    if (welcome === 0xff) return void client.end();
    if (method === 2 && !(await this.letIn(client))) return;
    await this.lead(client);
  }

  private async letIn(client: Socket): Promise<boolean> {
    const [, nameLength = 0] = await take(client, 2);
    const username = (await take(client, nameLength)).toString();
    const [passwordLength = 0] = await take(client, 1);
    const password = (await take(client, passwordLength)).toString();
    const { account } = this.behaviour;
    const known = account?.username === username && account.password === password;
    if (!this.say(client, 'authentication', Buffer.of(1, known ? 0 : 1))) return false;
    if (!known) client.end();
    return known;
  }

  private async lead(client: Socket): Promise<void> {
    const request = await requestFrom(client);
    this.requests.push(request);
    this.changed();
    const { reply, bound, leadsTo, instead } = this.behaviour;
    const answer = (code: number) => Buffer.concat([Buffer.of(5, code, 0), BOUND[bound]]);
    if (reply !== 0 || instead.request !== undefined) {
      if (this.say(client, 'request', answer(reply))) client.end();
      return;
    }
    const target = this.keep(connect(leadsTo ?? { host: request.address, port: request.port }));
    client.on('close', () => target.destroy());
    try {
      await once(target, 'connect');
    } catch {
      client.end(answer(5));
      return;
    }
    // The first data of the target is sent in the same segment as the reply.
    const [first] = (await once(target, 'data')) as [Buffer];
    client.write(Buffer.concat([answer(0), first]));
    target.pipe(client);
    client.pipe(target);
  }

  /** @returns whether the scripted reply was sent, so that the session continues. */
  private say(client: Socket, moment: SocksMoment, octets: Buffer): boolean {
    const instead = this.behaviour.instead[moment];
    if (instead === 'close') client.end();
    else if (instead === 'half') client.end(octets.subarray(0, octets.length / 2));
    else if (instead === 'reset') client.resetAndDestroy();
    else if (instead !== 'silence') client.write(instead ?? octets);
    return instead === undefined;
  }
}

async function requestFrom(client: Socket): Promise<SocksRequest> {
  const [, , , type] = await take(client, 4);
  if (type === 3) {
    const [length = 0] = await take(client, 1);
    const name = (await take(client, length)).toString();
    return { addressType: 'name', address: name, port: (await take(client, 2)).readUInt16BE() };
  }
  const octets = await take(client, type === 1 ? 4 : 16);
  const groups = Array.from({ length: 8 }, (_, i) =>
    type === 4 ? octets.readUInt16BE(2 * i).toString(16) : '',
  );
  const port = (await take(client, 2)).readUInt16BE();
  if (type === 1) return { addressType: 'ipv4', address: [...octets].join('.'), port };
  return { addressType: 'ipv6', address: groups.join(':'), port };
}

async function take(socket: Socket, length: number): Promise<Buffer> {
  for (;;) {
    const octets = socket.read(length) as Buffer | null;
    if (octets?.length === length) return octets;
    await once(socket, 'readable');
    if (socket.readableEnded || socket.destroyed) throw new Error('the client has gone');
  }
}
