import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { once, setMaxListeners } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect as connectTcp, createServer, Socket, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AdjustableClock } from '../../../test/support/time/adjustable-clock.js';
import { AddressPolicy } from '../net/address-policy.js';
import { pinOf } from '../net/pinned-tls.js';
import { SocksDialler } from '../net/socks-dialler.js';
import { egressIdentity } from './egress-identity.js';
import { EgressServer } from './egress-server.js';
import { Strangers } from './strangers.js';

const NEVER = new AbortController().signal;
setMaxListeners(0, NEVER);

let clock: AdjustableClock;
let target: Server;
let server: EgressServer;
let dial: () => Promise<Socket>;
const sockets: Socket[] = [];

beforeEach(async () => {
  clock = new AdjustableClock();
  target = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    socket.write('220 mx.test ESMTP\r\n');
  }).listen(0, '127.0.0.1');
  await once(target, 'listening');
  const { port: targetPort } = target.address() as AddressInfo;
  const dataDir = await mkdtemp(join(tmpdir(), 'rcpt-egress-'));
  const identity = await egressIdentity(dataDir, clock.now());
  await rm(dataDir, { recursive: true });
  const listen = { host: '127.0.0.1', port: 0 };
  const policy = new AddressPolicy(['127.0.0.0/8']);
  // Longer than a test may take: the end of the server waits for nobody.
  server = await EgressServer.start({ identity, listen, targetPort, policy, clock, stepMs: 120_000 });
  const { username, password, certificate } = identity;
  const pin = pinOf(new X509Certificate(certificate).raw);
  const proxy = { host: '127.0.0.1', port: server.port, credentials: { username, password }, pin };
  dial = async () => {
    const socket = await new SocksDialler(proxy).dial('127.0.0.1', targetPort, 20_000, NEVER);
    sockets.push(socket);
    return socket;
  };
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
  target.close();
});

async function textFrom(socket: Socket): Promise<string> {
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString();
}

describe('strangers', () => {
  const strangers = async (count: number, octets = '', from = '127.0.0.9'): Promise<Socket[]> => {
    const all = Array.from({ length: count }, () =>
      connectTcp({ port: server.port, host: '127.0.0.1', localAddress: from }).on('error', () => undefined),
    );
    sockets.push(...all);
    for (const socket of all) socket.write(octets);
    await Promise.all(all.map((socket) => once(socket, 'connect')));
    return all;
  };

  it.each([
    ['silent', ''],
    ['that have sent an octet', '\x16'],
  ])('%s, in any number, keep out neither a known network nor a new one', async (_, octets) => {
    const known = await dial();
    await strangers(600, octets);
    expect(await Promise.all(Array.from({ length: 20 }, () => dial().then(textFrom)))).toHaveLength(20);
    known.destroy();
    clock.advance(600_001);
    await strangers(400, octets);
    expect(await textFrom(await dial())).toContain('220');
    expect(server.connections).toBeLessThanOrEqual(330);
  });

  it('that have gone keep neither their turn nor the server', async () => {
    for (let round = 0; round < 5; round += 1)
      for (const socket of await strangers(200, '\x16')) socket.resetAndDestroy();
    const beganMs = performance.now();
    expect(await textFrom(await dial())).toContain('220');
    expect(performance.now() - beganMs).toBeLessThan(8_000);
    while (server.connections > 1) await pause(5);
  });

  it('that use the port of one whose end was not noticed are counted on', () => {
    const all = new Strangers(clock);
    const [gone, next] = [new Socket(), new Socket()];
    for (const socket of [gone, next]) all.add('127.0.0.9:40000', socket, '127.0.0.9');
    expect([gone.destroyed, next.destroyed, all.size]).toEqual([true, false, 1]);
    gone.emit('close');
    expect(all.size).toBe(1);
  });

  it('of one network get in together when the first of them has logged in', async () => {
    const all = await Promise.all(Array.from({ length: 150 }, () => dial()));
    expect(all).toHaveLength(150);
  });
});
