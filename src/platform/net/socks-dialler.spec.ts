import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { mailboxes } from '../../../test/support/smtp-behaviours.js';
import { SmtpServer } from '../../../test/support/smtp-server.js';
import { SocksServer, type SocksBehaviour } from '../../../test/support/socks-server.js';
import { DialFailure } from './dialler.js';
import { SocksDialler } from './socks-dialler.js';
import type { SocksProxy } from './socks-proxy.js';

const ACCOUNT = { username: 'verifier', password: 'pässword' };
const NEVER = new AbortController().signal;

let proxy: SocksServer;
let mail: SmtpServer | null = null;
const taken: Socket[] = [];
afterEach(async () => {
  for (const socket of taken.splice(0)) socket.destroy();
  await proxy.stop();
  await mail?.stop();
  mail = null;
});

interface Dialling {
  ip?: string;
  credentials?: SocksProxy['credentials'];
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** Dials port 25 of an address through a proxy that behaves so. */
async function dial(behaviour: Partial<SocksBehaviour>, dialling: Dialling = {}): Promise<Socket> {
  proxy = await SocksServer.start(behaviour);
  return dialThrough(proxy, dialling);
}

async function dialThrough(
  proxy: SocksServer,
  { ip = '192.0.2.25', credentials = null, timeoutMs = 5_000, signal = NEVER }: Dialling = {},
): Promise<Socket> {
  const dialler = new SocksDialler({ host: proxy.host, port: proxy.port, credentials });
  const socket = await dialler.dial(ip, 25, timeoutMs, signal);
  taken.push(socket);
  return socket;
}

async function failureOf(behaviour: Partial<SocksBehaviour>, dialling: Dialling = {}): Promise<DialFailure> {
  const failure = await dial(behaviour, dialling).then(
    () => null,
    (error: unknown) => error,
  );
  if (!(failure instanceof DialFailure)) throw new Error(`no failure to dial: ${String(failure)}`);
  return failure;
}

async function aMailServer(): Promise<{ host: string; port: number }> {
  mail = await SmtpServer.start({ behaviour: mailboxes('jane') });
  return { host: mail.host, port: mail.port };
}

describe('a proxy that leads to the target', () => {
  it.each<SocksBehaviour['bound']>(['ipv4', 'ipv6', 'name'])(
    'loses nothing of what the target says at once (bound address: %s)',
    async (bound) => {
      const socket = await dial({ leadsTo: await aMailServer(), bound });
      const [banner] = (await once(socket, 'data')) as [Buffer];
      expect(banner.toString()).toBe('220 mx.test ESMTP\r\n');
      socket.write('EHLO verify.rcpt.test\r\n');
      await mail?.until(({ commands }) => commands.includes('EHLO verify.rcpt.test'));
    },
  );

  it('is told who we are only when it asks', async () => {
    const socket = await dial({ leadsTo: await aMailServer(), account: ACCOUNT }, { credentials: ACCOUNT });
    expect(socket.readyState).toBe('open');
    expect(proxy.offers).toEqual([[0, 2]]);
    await proxy.stop();
    await dial({ leadsTo: { host: mail!.host, port: mail!.port } }, { credentials: ACCOUNT });
    expect(proxy.requests).toHaveLength(1);
  });

  it('is offered no password where there is none', async () => {
    await dial({ leadsTo: await aMailServer() });
    expect(proxy.offers).toEqual([[0]]);
  });

  it.each([
    ['192.0.2.25', 'ipv4', '192.0.2.25'],
    ['2001:db8::25', 'ipv6', '2001:db8:0:0:0:0:0:25'],
    ['::1', 'ipv6', '0:0:0:0:0:0:0:1'],
    ['2001:db8::', 'ipv6', '2001:db8:0:0:0:0:0:0'],
    ['2001:DB8:1:2:3:4:5:6', 'ipv6', '2001:db8:1:2:3:4:5:6'],
    ['::ffff:192.0.2.25', 'ipv6', '0:0:0:0:0:ffff:c000:219'],
  ])('is asked for the address %s, never for a name', async (ip, addressType, address) => {
    await dial({ leadsTo: await aMailServer() }, { ip });
    expect(proxy.requests).toEqual([{ addressType, address, port: 25 }]);
  });

  it.each(['mx.example.com', '192.0.2', 'fe80::1%eth0', ''])('is not asked for %j at all', async (ip) => {
    await expect(dial({}, { ip })).rejects.toThrow(RangeError);
    expect(proxy.connections).toBe(0);
  });
});

describe('a failure', () => {
  it.each([
    [1, 'proxy'],
    [2, 'proxy'],
    [3, 'target'],
    [4, 'target'],
    [5, 'target'],
    [6, 'target'],
    [7, 'proxy'],
    [8, 'proxy'],
    [9, 'proxy'],
    [255, 'proxy'],
  ])('that the proxy reports with %i is a matter of the %s', async (reply, fault) => {
    expect((await failureOf({ reply })).fault).toBe(fault);
  });

  it.each<[string, Partial<SocksBehaviour>]>([
    ['closes before it greets', { instead: { greeting: 'close' } }],
    ['breaks off before it greets', { instead: { greeting: 'reset' } }],
    ['speaks SMTP', { instead: { greeting: Buffer.from('220 mx.test ESMTP\r\n') } }],
    ['speaks SOCKS4', { instead: { greeting: Buffer.of(0, 0x5a) } }],
    ['chooses a method that was not offered', { instead: { greeting: Buffer.of(5, 1) } }],
    ['takes nobody', { instead: { greeting: Buffer.of(5, 0xff) } }],
    ['wants a password, and we have none', { account: ACCOUNT }],
    ['closes when it was asked', { instead: { request: 'close' } }],
    ['breaks off when it was asked', { instead: { request: 'reset' } }],
    ['closes in the middle of its greeting', { instead: { greeting: 'half' } }],
    ['closes in the middle of its reply', { instead: { request: 'half' } }],
    ['replies with something else', { instead: { request: Buffer.from('HTTP/1.1 400') } }],
    ['has an address of a kind that nobody knows', { instead: { request: Buffer.of(5, 0, 0, 9, 0, 0) } }],
  ])('of a proxy that %s is the proxy’s, and no connection is left', async (_what, behaviour) => {
    expect((await failureOf(behaviour)).fault).toBe('proxy');
    await proxy.until(({ openSockets }) => openSockets === 0);
  });

  it('to sign in is the proxy’s, and repeats neither user nor password', async () => {
    const credentials = { username: 'verifier', password: 'wrong-pass' };
    const failure = await failureOf({ account: ACCOUNT }, { credentials });
    expect(failure.fault).toBe('proxy');
    expect(`${failure.stack} ${JSON.stringify(failure)}`).not.toMatch(/verifier|wrong-pass/);
  });

  it('of a proxy that is not there is the proxy’s', async () => {
    proxy = await SocksServer.start();
    const { host, port } = proxy;
    await proxy.stop();
    const dialler = new SocksDialler({ host, port, credentials: null });
    await expect(dialler.dial('192.0.2.25', 25, 5_000, NEVER)).rejects.toMatchObject({ fault: 'proxy' });
    proxy = await SocksServer.start();
  });

  it('of a target that refuses is the target’s', async () => {
    const gone = await aMailServer();
    await mail?.stop();
    mail = null;
    expect((await failureOf({ leadsTo: gone })).fault).toBe('target');
  });
});

describe('silence', () => {
  it.each<[string, Partial<SocksBehaviour>, string]>([
    ['before the greeting is the proxy’s', { instead: { greeting: 'silence' } }, 'proxy'],
    [
      'after the password is the proxy’s',
      { account: ACCOUNT, instead: { authentication: 'silence' } },
      'proxy',
    ],
    ['once it was asked may be the target’s', { instead: { request: 'silence' } }, 'undecided'],
  ])('%s, and ends with the time-out', async (_when, behaviour, fault) => {
    const failure = await failureOf(behaviour, { credentials: ACCOUNT, timeoutMs: 150 });
    expect(failure.fault).toBe(fault);
    await proxy.until(({ openSockets }) => openSockets === 0);
  });

  it('ends at once when the caller gives up, and leaves no connection', async () => {
    const caller = new AbortController();
    proxy = await SocksServer.start({ instead: { request: 'silence' } });
    const dialling = dialThrough(proxy, { signal: caller.signal });
    void proxy.until(({ requests }) => requests.length === 1).then(() => caller.abort());
    await expect(dialling).rejects.toMatchObject({ fault: 'undecided' });
    await proxy.until(({ openSockets }) => openSockets === 0);
  });

  it('is not even met by a caller who had given up before', async () => {
    expect((await failureOf({}, { signal: AbortSignal.abort() })).fault).toBe('undecided');
    expect(proxy.requests).toEqual([]);
  });
});
