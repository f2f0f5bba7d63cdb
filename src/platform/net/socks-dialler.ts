import { connect, isIPv4, isIPv6, type Socket } from 'node:net';
import { connected, Dialler, DialFailure, within, type DialFault } from './dialler.js';
import type { SocksProxy } from './socks-proxy.js';

const VERSION = 5;
const NO_AUTHENTICATION = 0;
const USERNAME_AND_PASSWORD = 2;
const NOTHING_ACCEPTABLE = 0xff;
const CONNECT = 1;
const IPV4 = 1;
const NAME = 3;
const IPV6 = 4;

/**
 * What a proxy's reply says, and about whom (RFC 1928 §6). A "general failure" says nothing about
 * the target, and a proxy that may not or cannot dial it has not tried.
 */
const REPLIES: readonly { code: number; fault: DialFault; means: string }[] = [
  { code: 1, fault: 'proxy', means: 'general failure' },
  { code: 2, fault: 'proxy', means: 'not allowed by its rules' },
  { code: 3, fault: 'target', means: 'network unreachable' },
  { code: 4, fault: 'target', means: 'host unreachable' },
  { code: 5, fault: 'target', means: 'connection refused' },
  { code: 6, fault: 'target', means: 'TTL expired' },
  { code: 7, fault: 'proxy', means: 'command not supported' },
  { code: 8, fault: 'proxy', means: 'address type not supported' },
];

/**
 * Dials through a SOCKS5 proxy (RFC 1928), with a user and a password where there are any
 * (RFC 1929). The proxy is only ever given addresses: what was allowed is what it dials.
 */
export class SocksDialler extends Dialler {
  constructor(private readonly proxy: SocksProxy) {
    super();
  }

  async dial(ip: string, port: number, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
    const request = connectRequest(ip, port);
    const socket = connect({ host: this.proxy.host, port: this.proxy.port, noDelay: true });
    let asked = false;
    // A proxy that has taken the request waits for the target, or has died; from here the two look alike.
    const late = () => new DialFailure(asked ? 'undecided' : 'proxy', 'no answer from the proxy in time');
    return within(socket, timeoutMs, signal, late, async () => {
      await connected(socket, 'proxy', 'the proxy cannot be reached');
      await this.signIn(socket);
      socket.write(request);
      asked = true;
      await readReply(socket);
    });
  }

  private async signIn(socket: Socket): Promise<void> {
    const { credentials } = this.proxy;
    const methods = credentials === null ? [NO_AUTHENTICATION] : [NO_AUTHENTICATION, USERNAME_AND_PASSWORD];
    socket.write(Buffer.from([VERSION, methods.length, ...methods]));
    const [version, method] = await read(socket, 2);
    if (version !== VERSION) throw noSocks();
    if (method === NO_AUTHENTICATION) return;
    if (method === NOTHING_ACCEPTABLE || credentials === null) {
      throw new DialFailure('proxy', 'the proxy takes no client that signs in like this one');
    }
    if (method !== USERNAME_AND_PASSWORD) throw noSocks();

    const { username, password } = credentials;
    socket.write(Buffer.concat([Buffer.of(1), withLength(username), withLength(password)]));
    const [, status] = await read(socket, 2);
    if (status !== 0) throw new DialFailure('proxy', 'the proxy refused the user or the password');
  }
}

function connectRequest(ip: string, port: number): Buffer {
  const head = Buffer.of(VERSION, CONNECT, 0);
  const tail = Buffer.alloc(2);
  tail.writeUInt16BE(port);
  return Buffer.concat([head, encodedAddress(ip), tail]);
}

/** @throws RangeError for what is no address: a name would be resolved by the proxy, past the egress filter. */
function encodedAddress(ip: string): Buffer {
  if (isIPv4(ip)) return Buffer.of(IPV4, ...ip.split('.').map(Number));
  if (!isIPv6(ip) || ip.includes('%')) throw new RangeError('only an address can be dialled through a proxy');
  // The URL parser writes any spelling in groups of hexadecimal digits, with at most one `::`.
  const [front = '', back] = new URL(`http://[${ip}]`).hostname.slice(1, -1).split('::');
  const groups = (side: string) => (side === '' ? [] : side.split(':').map((group) => parseInt(group, 16)));
  const zeroes = back === undefined ? 0 : 8 - groups(front).length - groups(back).length;
  const all = [...groups(front), ...Array<number>(zeroes).fill(0), ...groups(back ?? '')];
  return Buffer.of(IPV6, ...all.flatMap((group) => [group >> 8, group & 0xff]));
}

/** Reads up to the last octet of the reply and no further: what follows is the target's. */
async function readReply(socket: Socket): Promise<void> {
  const [version, code] = await read(socket, 2);
  if (version !== VERSION) throw noSocks();
  if (code !== 0) {
    const { fault, means } = REPLIES.find((reply) => reply.code === code) ?? unknownReply();
    throw new DialFailure(fault, `the proxy says: ${means}`);
  }
  const [, type] = await read(socket, 2);
  await read(socket, (await boundAddressLength(socket, type)) + 2);
}

function unknownReply(): { fault: DialFault; means: string } {
  return { fault: 'proxy', means: 'a reply that RFC 1928 does not know' };
}

async function boundAddressLength(socket: Socket, type: number | undefined): Promise<number> {
  if (type === IPV4) return 4;
  if (type === IPV6) return 16;
  if (type !== NAME) throw noSocks();
  const [length = 0] = await read(socket, 1);
  return length;
}

/** Exactly so many octets; whatever else the proxy has sent stays in the socket. */
function read(socket: Socket, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      socket.off('readable', take).off('close', close);
      end();
    };
    const close = () => settle(() => reject(new DialFailure('proxy', 'the proxy closed the connection')));
    const take = () => {
      const octets = socket.read(length) as Buffer | null;
      if (octets?.length === length) settle(() => resolve(octets));
    };
    socket.on('readable', take).on('close', close);
    take();
    if (socket.destroyed) close();
  });
}

function withLength(text: string): Buffer {
  const octets = Buffer.from(text);
  return Buffer.concat([Buffer.of(octets.length), octets]);
}

function noSocks(): DialFailure {
  return new DialFailure('proxy', 'the proxy speaks no SOCKS5');
}
