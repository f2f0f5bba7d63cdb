import { connect, type Socket } from 'node:net';
import { Dialler, DialFailure, waitForConnect, whenReady, type DialErrorSide } from './dialler.js';
import { octetsOf } from './ip-octets.js';
import { pinnedTls } from './pinned-tls.js';
import {
  readOctets,
  AUTHENTICATION_VERSION,
  CONNECT,
  IPV4,
  IPV6,
  NAME,
  NO_AUTHENTICATION,
  NOTHING_ACCEPTABLE,
  USERNAME_AND_PASSWORD,
  VERSION,
} from './socks-protocol.js';
import type { SocksProxy } from './socks-proxy.js';

/**
 * Reply codes of a proxy (RFC 1928 §6) and the side of the failure that each one implies. A "general failure" says
 * nothing about the target, and a proxy that does not allow the request has not tried the target.
 */
const REPLIES: readonly { code: number; side: DialErrorSide; means: string }[] = [
  { code: 1, side: 'egress', means: 'general failure' },
  { code: 2, side: 'egress', means: 'not allowed by its rules' },
  { code: 3, side: 'target', means: 'network unreachable' },
  { code: 4, side: 'target', means: 'host unreachable' },
  { code: 5, side: 'target', means: 'connection refused' },
  { code: 6, side: 'target', means: 'TTL expired' },
  { code: 7, side: 'egress', means: 'command not supported' },
  { code: 8, side: 'egress', means: 'address type not supported' },
];

/**
 * Connects through a SOCKS5 proxy (RFC 1928), with username/password authentication if configured
 * (RFC 1929), inside TLS if the proxy has a pinned certificate. The proxy receives IP addresses only, so that
 * it connects to the address that was checked.
 */
export class SocksDialler extends Dialler {
  constructor(private readonly proxy: SocksProxy) {
    super();
  }

  async dial(ip: string, port: number, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
    const request = connectRequest(ip, port);
    let isLoggedIn = false;
    // From then on, a slow target and a failed proxy cannot be distinguished.
    const sideOfTimeout = () => (isLoggedIn ? 'undecided' : 'egress');
    return this.connectToProxy(timeoutMs, signal, sideOfTimeout, async (socket) => {
      await this.logIn(socket, request);
      isLoggedIn = true;
      await readReply(socket);
    });
  }

  /** Connects to the proxy and authenticates, without a target. @throws DialFailure */
  async greet(timeoutMs: number, signal: AbortSignal): Promise<void> {
    const sideOfTimeout = () => 'egress' as const;
    const socket = await this.connectToProxy(timeoutMs, signal, sideOfTimeout, (connected) =>
      this.logIn(connected, Buffer.alloc(0)),
    );
    socket.destroy();
  }

  private async connectToProxy(
    timeoutMs: number,
    signal: AbortSignal,
    sideOfTimeout: () => DialErrorSide,
    use: (socket: Socket) => Promise<void>,
  ): Promise<Socket> {
    const { host, port, pin } = this.proxy;
    const tcp = connect({ host, port, noDelay: true });
    let socket: Socket = tcp;
    const onTimeout = () => new DialFailure(sideOfTimeout(), 'the proxy did not respond in time');
    await whenReady(tcp, timeoutMs, signal, onTimeout, async () => {
      await waitForConnect(tcp, 'egress', 'the proxy cannot be reached');
      if (pin !== null) socket = await pinnedTls(tcp, pin);
      await use(socket);
    });
    return socket;
  }

  /**
   * Authenticates, and sends the request. A pinned proxy with a password is `rcpt egress`, whose method is known:
   * it gets everything at once, which saves two round trips. Others need not accept that.
   */
  private async logIn(socket: Socket, request: Buffer): Promise<void> {
    const { credentials, pin } = this.proxy;
    const login = credentials === null ? Buffer.alloc(0) : loginOf(credentials);
    const isKnown = credentials !== null && pin !== null;
    const methods = [
      ...(isKnown ? [] : [NO_AUTHENTICATION]),
      ...(credentials === null ? [] : [USERNAME_AND_PASSWORD]),
    ];
    const greeting = Buffer.from([VERSION, methods.length, ...methods]);
    socket.write(isKnown ? Buffer.concat([greeting, login, request]) : greeting);
    const [version, method = NOTHING_ACCEPTABLE] = await read(socket, 2);
    if (version !== VERSION) throw notSocks5();
    if (method === NOTHING_ACCEPTABLE || (method === USERNAME_AND_PASSWORD && credentials === null))
      throw new DialFailure('egress', 'the proxy accepts none of the offered authentication methods');
    if (!methods.includes(method)) throw notSocks5();
    if (method === USERNAME_AND_PASSWORD) {
      if (!isKnown) socket.write(login);
      const [, status] = await read(socket, 2);
      if (status !== 0) throw new DialFailure('egress', 'the proxy refused the user or the password');
    }
    if (!isKnown) socket.write(request);
  }
}

function loginOf({ username, password }: { username: string; password: string }): Buffer {
  return Buffer.concat([Buffer.of(AUTHENTICATION_VERSION), withLength(username), withLength(password)]);
}

/** @throws RangeError if `ip` is not an address: the proxy would resolve a name itself, without the address policy. */
function connectRequest(ip: string, port: number): Buffer {
  const address = octetsOf(ip);
  const type = address.length === 4 ? IPV4 : IPV6;
  return Buffer.of(VERSION, CONNECT, 0, type, ...address, port >> 8, port & 0xff);
}

/** Reads exactly the reply. The following octets come from the target. */
async function readReply(socket: Socket): Promise<void> {
  const [version, code] = await read(socket, 2);
  if (version !== VERSION) throw notSocks5();
  if (code !== 0) {
    const known = REPLIES.find((reply) => reply.code === code);
    const means = known?.means ?? 'a reply code that RFC 1928 does not define';
    throw new DialFailure(known?.side ?? 'egress', `the proxy replied: ${means}`);
  }
  const [, type] = await read(socket, 2);
  await read(socket, (await boundAddressLength(socket, type)) + 2);
}

async function boundAddressLength(socket: Socket, type: number | undefined): Promise<number> {
  if (type === IPV4) return 4;
  if (type === IPV6) return 16;
  if (type !== NAME) throw notSocks5();
  const [length = 0] = await read(socket, 1);
  return length;
}

function read(socket: Socket, length: number): Promise<Buffer> {
  return readOctets(socket, length, () => new DialFailure('egress', 'the proxy closed the connection'));
}

function withLength(text: string): Buffer {
  const octets = Buffer.from(text);
  return Buffer.concat([Buffer.of(octets.length), octets]);
}

function notSocks5(): DialFailure {
  return new DialFailure('egress', 'the proxy does not speak SOCKS5');
}
