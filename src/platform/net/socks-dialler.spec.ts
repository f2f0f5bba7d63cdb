import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { mailboxes } from '../../../test/support/smtp/smtp-behaviours.js';
import { SmtpServer } from '../../../test/support/smtp/smtp-server.js';
import { SocksServer, type SocksBehaviour } from '../../../test/support/smtp/socks-server.js';
import { DialFailure } from './dialler.js';
import { SocksDialler } from './socks-dialler.js';
import type { SocksProxy } from './socks-proxy.js';

const ACCOUNT = { username: 'verifier', password: 'pässword' };
const NEVER = new AbortController().signal;

let proxy: SocksServer;
let mail: SmtpServer | null = null;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await proxy.stop();
  await mail?.stop();
  mail = null;
});

interface DialOptions {
  ip?: string;
  credentials?: SocksProxy['credentials'];
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** Connects to port 25 of an address through a proxy with this behaviour. */
async function dial(behaviour: Partial<SocksBehaviour>, options: DialOptions = {}): Promise<Socket> {
  proxy = await SocksServer.start(behaviour);
  return dialThrough(proxy, options);
}

async function dialThrough(
  proxy: SocksServer,
  { ip = '192.0.2.25', credentials = null, timeoutMs = 5_000, signal = NEVER }: DialOptions = {},
): Promise<Socket> {
  const dialler = new SocksDialler({ host: proxy.host, port: proxy.port, credentials, pin: null });
  const socket = await dialler.dial(ip, 25, timeoutMs, signal);
  sockets.push(socket);
  return socket;
}

async function failureOf(
  behaviour: Partial<SocksBehaviour>,
  options: DialOptions = {},
): Promise<DialFailure> {
  const failure = await dial(behaviour, options).then(
    () => null,
    (error: unknown) => error,
  );
  if (!(failure instanceof DialFailure)) throw new Error(`expected a DialFailure: ${String(failure)}`);
  return failure;
}

async function startMailServer(): Promise<{ host: string; port: number }> {
  mail = await SmtpServer.start({ behaviour: mailboxes('jane') });
  return { host: mail.host, port: mail.port };
}

describe('a connection through a proxy', () => {
  it.each<SocksBehaviour['bound']>(['ipv4', 'ipv6', 'name'])(
    'delivers the first bytes of the target (bound address: %s)',
    async (bound) => {
      const socket = await dial({ leadsTo: await startMailServer(), bound });
      const [banner] = (await once(socket, 'data')) as [Buffer];
      expect(banner.toString()).toBe('220 mx.test ESMTP\r\n');
      socket.write('EHLO verify.rcpt.test\r\n');
      await mail?.until(({ commands }) => commands.includes('EHLO verify.rcpt.test'));
    },
  );

  it('sends credentials only if the proxy requires them', async () => {
    const socket = await dial(
      { leadsTo: await startMailServer(), account: ACCOUNT },
      { credentials: ACCOUNT },
    );
    expect(socket.readyState).toBe('open');
    expect(proxy.offers).toEqual([[0, 2]]);
    await proxy.stop();
    await dial({ leadsTo: { host: mail!.host, port: mail!.port } }, { credentials: ACCOUNT });
    expect(proxy.requests).toHaveLength(1);
  });

  it('does not offer password authentication without credentials', async () => {
    await dial({ leadsTo: await startMailServer() });
    expect(proxy.offers).toEqual([[0]]);
  });

  it.each([
    ['192.0.2.25', 'ipv4', '192.0.2.25'],
    ['2001:db8::25', 'ipv6', '2001:db8:0:0:0:0:0:25'],
    ['::1', 'ipv6', '0:0:0:0:0:0:0:1'],
    ['2001:db8::', 'ipv6', '2001:db8:0:0:0:0:0:0'],
    ['2001:DB8:1:2:3:4:5:6', 'ipv6', '2001:db8:1:2:3:4:5:6'],
    ['::ffff:192.0.2.25', 'ipv6', '0:0:0:0:0:ffff:c000:219'],
  ])('requests the address %s, never a name', async (ip, addressType, address) => {
    await dial({ leadsTo: await startMailServer() }, { ip });
    expect(proxy.requests).toEqual([{ addressType, address, port: 25 }]);
  });

  it.each(['mx.example.com', '192.0.2', 'fe80::1%eth0', ''])('does not request %j', async (ip) => {
    await expect(dial({}, { ip })).rejects.toThrow(RangeError);
    expect(proxy.connections).toBe(0);
  });
});

describe('a failure', () => {
  it.each([
    [1, 'egress'],
    [2, 'egress'],
    [3, 'target'],
    [4, 'target'],
    [5, 'target'],
    [6, 'target'],
    [7, 'egress'],
    [8, 'egress'],
    [9, 'egress'],
    [255, 'egress'],
  ])('with the proxy reply %i has the side `%s`', async (reply, side) => {
    expect((await failureOf({ reply })).side).toBe(side);
  });

  it.each<[string, Partial<SocksBehaviour>]>([
    ['closes before its greeting', { instead: { greeting: 'close' } }],
    ['resets before its greeting', { instead: { greeting: 'reset' } }],
    ['speaks SMTP', { instead: { greeting: Buffer.from('220 mx.test ESMTP\r\n') } }],
    ['speaks SOCKS4', { instead: { greeting: Buffer.of(0, 0x5a) } }],
    ['chooses a method that was not offered', { instead: { greeting: Buffer.of(5, 1) } }],
    ['accepts no method', { instead: { greeting: Buffer.of(5, 0xff) } }],
    ['requires a password that is not configured', { account: ACCOUNT }],
    ['closes after the request', { instead: { request: 'close' } }],
    ['resets after the request', { instead: { request: 'reset' } }],
    ['closes in the middle of its greeting', { instead: { greeting: 'half' } }],
    ['closes in the middle of its reply', { instead: { request: 'half' } }],
    ['replies with another protocol', { instead: { request: Buffer.from('HTTP/1.1 400') } }],
    ['replies with an unknown address type', { instead: { request: Buffer.of(5, 0, 0, 9, 0, 0) } }],
  ])('of a proxy that %s has the side `egress`, and the connection is closed', async (_what, behaviour) => {
    expect((await failureOf(behaviour)).side).toBe('egress');
    await proxy.until(({ openSockets }) => openSockets === 0);
  });

  it('of the authentication has the side `egress`, and the message contains no credentials', async () => {
    const credentials = { username: 'verifier', password: 'wrong-pass' };
    const failure = await failureOf({ account: ACCOUNT }, { credentials });
    expect(failure.side).toBe('egress');
    expect(`${failure.stack} ${JSON.stringify(failure)}`).not.toMatch(/verifier|wrong-pass/);
  });

  it('of an unreachable proxy has the side `egress`', async () => {
    proxy = await SocksServer.start();
    const { host, port } = proxy;
    await proxy.stop();
    const dialler = new SocksDialler({ host, port, credentials: null, pin: null });
    await expect(dialler.dial('192.0.2.25', 25, 5_000, NEVER)).rejects.toMatchObject({ side: 'egress' });
    proxy = await SocksServer.start();
  });

  it('of a target that refuses the connection has the side `target`', async () => {
    const gone = await startMailServer();
    await mail?.stop();
    mail = null;
    expect((await failureOf({ leadsTo: gone })).side).toBe('target');
  });
});

describe('a timeout', () => {
  it.each<[string, Partial<SocksBehaviour>, string]>([
    ['before the greeting', { instead: { greeting: 'silence' } }, 'egress'],
    ['after the authentication', { account: ACCOUNT, instead: { authentication: 'silence' } }, 'egress'],
    ['after the request', { instead: { request: 'silence' } }, 'undecided'],
  ])('%s has the right side and closes the connection', async (_when, behaviour, side) => {
    const failure = await failureOf(behaviour, { credentials: ACCOUNT, timeoutMs: 500 });
    expect(failure.side).toBe(side);
    await proxy.until(({ openSockets }) => openSockets === 0);
  });

  it('is cut short by an abort, which closes the connection', async () => {
    const caller = new AbortController();
    proxy = await SocksServer.start({ instead: { request: 'silence' } });
    const connection = dialThrough(proxy, { signal: caller.signal });
    void proxy.until(({ requests }) => requests.length === 1).then(() => caller.abort());
    await expect(connection).rejects.toMatchObject({ side: 'undecided' });
    await proxy.until(({ openSockets }) => openSockets === 0);
  });

  it('is not awaited if the signal is already aborted', async () => {
    expect((await failureOf({}, { signal: AbortSignal.abort() })).side).toBe('undecided');
    expect(proxy.requests).toEqual([]);
  });
});
