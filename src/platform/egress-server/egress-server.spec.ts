import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { once, setMaxListeners } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect as connectTcp, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { AdjustableClock } from '../../../test/support/time/adjustable-clock.js';
import { AddressPolicy } from '../net/address-policy.js';
import { DialFailure } from '../net/dialler.js';
import { NON_GLOBAL_RANGES } from '../net/non-global-ranges.js';
import { pinOf } from '../net/pinned-tls.js';
import { SocksDialler } from '../net/socks-dialler.js';
import type { SocksProxy } from '../net/socks-proxy.js';
import { egressIdentity, type EgressIdentity } from './egress-identity.js';
import { EgressServer, type EgressServerOptions } from './egress-server.js';

const NEVER = new AbortController().signal;
setMaxListeners(0, NEVER);
const LOOPBACK_ONLY = new AddressPolicy(['127.0.0.0/8']);

const NOW = new Date('2026-01-31T12:00:00Z');
let identity: EgressIdentity;
let clock: AdjustableClock;
let target: Server;
let targetPort: number;
let server: EgressServer;
/** Connections that the target has accepted. */
let reached: Socket[];
const sockets: Socket[] = [];

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'rcpt-egress-'));
  identity = await egressIdentity(dataDir, NOW);
  await rm(dataDir, { recursive: true });
});
beforeEach(async () => {
  clock = new AdjustableClock();
  reached = [];
  target = createServer((socket) => {
    reached.push(socket);
    socket.on('error', () => undefined);
    socket.write('220 mx.test ESMTP\r\n');
    socket.on('data', (text) => socket.write(`250 ${text.toString()}`));
  });
  target.listen(0, '127.0.0.1');
  await once(target, 'listening');
  targetPort = (target.address() as AddressInfo).port;
});
afterEach(async () => {
  for (const socket of [...sockets.splice(0), ...reached]) socket.destroy();
  await server.close();
  target.close();
});

async function start(options: Partial<EgressServerOptions> = {}): Promise<void> {
  const listen = { host: '127.0.0.1', port: 0 };
  server = await EgressServer.start({
    identity,
    listen,
    targetPort,
    policy: LOOPBACK_ONLY,
    clock,
    ...options,
  });
}

function proxy(changes: Partial<SocksProxy> = {}): SocksProxy {
  const { username, password, certificate } = identity;
  return {
    host: '127.0.0.1',
    port: server.port,
    credentials: { username, password },
    pin: pinOf(new X509Certificate(certificate).raw),
    ...changes,
  };
}

async function dial(ip = '127.0.0.1', port = targetPort, changes: Partial<SocksProxy> = {}): Promise<Socket> {
  const socket = await new SocksDialler(proxy(changes)).dial(ip, port, 20_000, NEVER);
  sockets.push(socket);
  return socket;
}

async function failureOf(...args: Parameters<typeof dial>): Promise<{ side: string; message: string }> {
  const failure: unknown = await dial(...args).then(
    () => null,
    (error: unknown) => error,
  );
  if (!(failure instanceof DialFailure)) throw new Error(`expected a DialFailure: ${String(failure)}`);
  return { side: failure.side, message: failure.message };
}

async function textFrom(socket: Socket): Promise<string> {
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString();
}

const wrongLogin = () =>
  failureOf('127.0.0.1', targetPort, { credentials: { username: 'rcpt', password: 'x' } });

describe('an egress', () => {
  it('connects its user to the port, in both directions', async () => {
    await start();
    const socket = await dial();
    expect(await textFrom(socket)).toBe('220 mx.test ESMTP\r\n');
    socket.write('EHLO a\r\n');
    expect(await textFrom(socket)).toBe('250 EHLO a\r\n');
  });

  it('passes on what the target sent before it closed the connection', async () => {
    await start();
    target.removeAllListeners('connection').on('connection', (socket: Socket) => {
      reached.push(socket);
      socket.end('x'.repeat(200_000));
    });
    const socket = await dial();
    let length = 0;
    socket.on('data', (chunk: Buffer) => (length += chunk.length));
    await once(socket, 'close');
    expect(length).toBe(200_000);
  });

  it('closes the connection to the target when the client has gone, and the other way round', async () => {
    await start();
    const first = await dial();
    await textFrom(first);
    const gone = once(reached[0]!, 'close');
    first.destroy();
    await gone;
    const second = await dial();
    await textFrom(second);
    const closed = once(second, 'close');
    reached[1]!.resetAndDestroy();
    await closed;
  });

  it('says that a target cannot be reached, which is not its own side', async () => {
    await start();
    target.close();
    await once(target, 'close');
    expect((await failureOf()).side).toBe('target');
  });

  it.each(NON_GLOBAL_RANGES.map(({ name, cidr }) => [name, cidr.split('/')[0] ?? '']))(
    'does not dial a private address: %s',
    async (_, ip) => {
      await start({ policy: new AddressPolicy([]) });
      expect((await failureOf(ip)).message).toContain('not allowed by its rules');
      expect(reached).toHaveLength(0);
    },
  );

  it.each(['::ffff:10.0.0.1', '::ffff:169.254.169.254', '64:ff9b::a00:1', '2002:a00:1::', '127.0.0.1'])(
    'does not dial %s',
    async (ip) => {
      await start({ policy: new AddressPolicy([]) });
      expect((await failureOf(ip)).message).toContain('not allowed by its rules');
    },
  );

  it('does not dial another port', async () => {
    await start();
    for (const port of [targetPort + 1, 22, 25, 80, 5432])
      expect((await failureOf('127.0.0.1', port)).message).toContain('not allowed by its rules');
  });

  it('does not dial the public addresses of its own machine', async () => {
    await start({ isOwnAddress: (ip) => ip === '9.9.9.7', policy: new AddressPolicy(['0.0.0.0/0']) });
    for (const ip of ['9.9.9.7', '::ffff:9.9.9.7'])
      expect((await failureOf(ip)).message).toContain('not allowed by its rules');
  });

  it.each<[string, Buffer, number]>([
    ['a name', Buffer.from([5, 1, 0, 3, 9, ...Buffer.from('localhost'), 0, 25]), 8],
    ['an unknown address type', Buffer.from([5, 1, 0, 9, 0, 0]), 8],
    ['BIND', Buffer.from([5, 2, 0, 1, 127, 0, 0, 1, 0, 25]), 7],
    ['UDP ASSOCIATE', Buffer.from([5, 3, 0, 1, 127, 0, 0, 1, 0, 25]), 7],
  ])('does not serve %s', async (_, request, reply) => {
    await start();
    const client = connectTls({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false });
    sockets.push(client);
    const { username, password } = identity;
    client.write(Buffer.of(5, 1, 2));
    expect(await once(client, 'data')).toEqual([Buffer.of(5, 2)]);
    const login = [username, password].flatMap((text) => [text.length, ...Buffer.from(text)]);
    client.write(Buffer.from([1, ...login]));
    expect(await once(client, 'data')).toEqual([Buffer.of(1, 0)]);
    client.write(request);
    const [answer] = (await once(client, 'data')) as [Buffer];
    expect([answer[0], answer[1]]).toEqual([5, reply]);
    await once(client, 'close');
  });
});

describe('who may use it', () => {
  it.each([
    ['no credentials', null, 'none of the offered authentication methods'],
    ['another user', { username: 'root', password: '' }, 'refused the user or the password'],
    ['another password', { username: 'rcpt', password: 'rcpt' }, 'refused the user or the password'],
  ])('not one with %s', async (_, credentials, message) => {
    await start();
    const sent =
      credentials?.username === 'root' ? { ...credentials, password: identity.password } : credentials;
    expect((await failureOf('127.0.0.1', targetPort, { credentials: sent })).message).toContain(message);
    expect(reached).toHaveLength(0);
  });

  it('not a network that failed five times, for a minute, even with the password', async () => {
    await start();
    clock.stop();
    for (let n = 0; n < 5; n += 1) expect((await wrongLogin()).message).toContain('refused the user');
    expect((await failureOf()).side).toBe('egress');
    expect(reached).toHaveLength(0);
    // A millisecond more: the sum of two times is rounded, and their difference may be less than a minute.
    clock.advance(60_001);
    expect(await textFrom(await dial())).toContain('220');
  });

  it('a client sends nothing to a server with another certificate', async () => {
    await start();
    const failure = await failureOf('127.0.0.1', targetPort, { pin: '0'.repeat(64) });
    expect(failure).toEqual({
      side: 'egress',
      message: 'the proxy has another certificate than the pinned one',
    });
    expect(reached).toHaveLength(0);
  });

  it('a client finds out that a server has no TLS, or ends the handshake', async () => {
    await start();
    const plain = createServer((socket) => socket.on('error', () => undefined).end('220 mx.test ESMTP\r\n'));
    plain.listen(0, '127.0.0.1');
    await once(plain, 'listening');
    const { port } = plain.address() as AddressInfo;
    expect((await failureOf('127.0.0.1', targetPort, { port })).side).toBe('egress');
    plain.close();
  });
});

describe('its bounds', () => {
  it('200 clients that have logged in', async () => {
    await start();
    const clients = await Promise.all(Array.from({ length: 200 }, () => dial()));
    expect((await failureOf()).side).toBe('egress');
    clients[0]!.destroy();
    await once(reached[0]!, 'close').catch(() => undefined);
    while (server.connections > 199) await pause(5);
    expect(await textFrom(await dial())).toContain('220');
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['half a handshake', Buffer.from('160301', 'hex')],
    ['another protocol', Buffer.from('EHLO a\r\n')],
  ])('a client that sends %s is disconnected', async (_, octets) => {
    await start({ stepMs: 100 });
    const client = connectTcp(server.port, '127.0.0.1');
    sockets.push(client.on('error', () => undefined));
    client.write(octets);
    client.resume();
    await once(client, 'close');
    while (server.connections > 0) await pause(5);
  });

  it('a client that does not log in is disconnected', async () => {
    await start({ stepMs: 200 });
    const client = connectTls({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false });
    sockets.push(client.on('error', () => undefined));
    client.resume();
    await once(client, 'close');
  });

  it('TLS 1.3 only', async () => {
    await start();
    const client = connectTls({
      host: '127.0.0.1',
      port: server.port,
      rejectUnauthorized: false,
      maxVersion: 'TLSv1.2',
    });
    sockets.push(client);
    await expect(once(client, 'secureConnect')).rejects.toThrow(/alert|protocol/i);
  });
});
