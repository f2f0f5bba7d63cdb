import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import dnsPacket from 'dns-packet';
import { DnsWorld } from '../../../../test/support/dns/dns-world.js';
import { parseDnsServer } from '../../../platform/net/dns-server.js';
import { queryServer } from './dns-transport.js';
import type { ServerReply } from './dns-transport.js';

const MANY = Array.from({ length: 60 }, (_, i): [number, string] => [i, `mail-exchanger-${i}.large.test`]);
const FORGED = { type: 'MX' as const, ttl: 60, data: { preference: 0, exchange: 'forged.test' } };

let world: DnsWorld;
beforeAll(async () => {
  world = await DnsWorld.start({
    zones: {
      'small.test': { mx: [[0, 'mx.test']] },
      'large.test': { mx: MANY },
      'cut.test': { mx: MANY, behaviour: 'truncate' },
      'forged.test': { mx: [[0, 'mx.test']], behaviour: 'wrong_id' },
      'slow.test': { mx: [[0, 'mx.test']], behaviour: 'slow', delayMs: 60 },
      'silent.test': { behaviour: 'silent' },
      'garbage.test': { behaviour: 'garbage' },
    },
  });
});
afterAll(() => world.stop());

function ask(
  name: string,
  server = world.server,
  signal = new AbortController().signal,
): Promise<ServerReply> {
  return queryServer(parseDnsServer(server)!, { type: 'MX', name }, true, signal);
}

function exchanges(reply: ServerReply): string[] {
  if (reply.kind !== 'packet') return [];
  return reply.packet.answers.flatMap((record) => (record.type === 'MX' ? [record.data.exchange] : []));
}

describe('a query to a server', () => {
  it('is sent over UDP, with EDNS, from a new random port and with a new random id', async () => {
    for (let i = 0; i < 20; i++) await ask('small.test');
    const asked = await world.queriesFor('small.test', 20);
    expect(asked.every(({ transport, edns }) => transport === 'udp' && edns)).toBe(true);
    expect(new Set(asked.map(({ port }) => port)).size).toBeGreaterThan(10);
    expect(new Set(asked.map(({ id }) => id)).size).toBeGreaterThan(10);
  });

  it.each(['large.test', 'cut.test'])(
    'is repeated over TCP when the answer is truncated (%s)',
    async (name) => {
      expect(exchanges(await ask(name))).toEqual(MANY.map(([, host]) => host));
      expect((await world.queriesFor(name, 2)).map(({ transport }) => transport)).toEqual(['udp', 'tcp']);
    },
  );

  it('fails without a partial answer when it is truncated in a record and TCP fails', async () => {
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    socket.on('message', (message, { port, address }) => {
      const query = dnsPacket.decode(message);
      const answers = [
        { ...FORGED, name: 'x.test' },
        { ...FORGED, name: 'x.test' },
      ];
      const flags = dnsPacket.TRUNCATED_RESPONSE;
      const whole = dnsPacket.encode({ ...query, type: 'response', flags, answers, additionals: [] });
      socket.send(whole.subarray(0, -5), port, address);
    });
    expect(await ask('x.test', `127.0.0.1:${socket.address().port}`)).toEqual({ kind: 'failed' });
    socket.close();
  });

  it('fails on an answer that is no DNS message, and on a server that does not run', async () => {
    const gone = await DnsWorld.start({ zones: {} });
    const { server } = gone;
    await gone.stop();
    expect(await ask('small.test', server)).toEqual({ kind: 'failed' });
    expect(await ask('garbage.test')).toEqual({ kind: 'failed' });
  });

  it('ends when the signal aborts', async () => {
    const cancel = new AbortController();
    const silent = ask('silent.test', world.server, cancel.signal);
    await world.queriesFor('silent.test');
    cancel.abort();
    expect(await silent).toEqual({ kind: 'silent' });
  });

  it('ends when the signal aborts while TCP does not answer, and closes the connection', async () => {
    const cancel = new AbortController();
    const tcp = createServer().listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    const { port } = tcp.address() as AddressInfo;
    const udp = createSocket('udp4').bind(port, '127.0.0.1');
    await once(udp, 'listening');
    udp.on('message', (message, from) => {
      const cut = dnsPacket.encode({
        ...dnsPacket.decode(message),
        type: 'response',
        flags: dnsPacket.TRUNCATED_RESPONSE,
      });
      udp.send(cut, from.port, from.address);
    });
    const reply = ask('x.test', `127.0.0.1:${port}`, cancel.signal);
    const [connection] = (await once(tcp, 'connection')) as [Socket];
    connection.resume();
    cancel.abort();
    expect(await reply).toEqual({ kind: 'silent' });
    await once(connection, 'close');
    udp.close();
    tcp.close();
  });

  it('works over IPv6', async () => {
    const six = await DnsWorld.start({ zones: { 'six.test': { mx: [[0, 'mx.test']] } }, host: '::1' });
    expect(six.server).toMatch(/^\[::1\]:\d+$/);
    expect(exchanges(await ask('six.test', six.server))).toEqual(['mx.test']);
    await six.stop();
  });
});

describe('an unexpected answer', () => {
  it('is ignored with another id, and the real one is awaited', async () => {
    expect(exchanges(await ask('forged.test'))).toEqual(['mx.test']);
  });

  it('is ignored from another address, even with the right id and to the right port', async () => {
    const forger = createSocket('udp4');
    const answer = ask('slow.test');
    const [asked] = await world.queriesFor('slow.test');
    const questions = [{ type: 'MX' as const, name: 'slow.test' }];
    const answers = [{ ...FORGED, name: 'slow.test' }];
    forger.send(
      dnsPacket.encode({ type: 'response', id: asked!.id, questions, answers }),
      asked!.port,
      '127.0.0.1',
    );
    expect(exchanges(await answer)).toEqual(['mx.test']);
    forger.close();
  });

  it.each([
    ['to another name', { type: 'response', questions: [{ type: 'MX', name: 'other.test' }] }],
    ['to another type', { type: 'response', questions: [{ type: 'A', name: 'x.test' }] }],
    [
      'to two questions',
      {
        type: 'response',
        questions: [
          { type: 'MX', name: 'x.test' },
          { type: 'MX', name: 'x.test' },
        ],
      },
    ],
    ['to none', { type: 'response', questions: [] }],
    ['that is a question itself', { type: 'query' }],
  ] as const)('is ignored %s, even with the right id', async (_, wrong) => {
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    socket.on('message', (message, { port, address }) => {
      const query = { ...dnsPacket.decode(message), flags: 0, additionals: [] };
      const forged = { ...query, ...wrong, answers: [{ ...FORGED, name: 'x.test' }] } as dnsPacket.Packet;
      const answer = { ...FORGED, name: 'x.test', data: { preference: 0, exchange: 'mx.test' } };
      socket.send(dnsPacket.encode(forged), port, address);
      socket.send(dnsPacket.encode({ ...query, type: 'response', answers: [answer] }), port, address);
    });
    expect(exchanges(await ask('x.test', `127.0.0.1:${socket.address().port}`))).toEqual(['mx.test']);
    socket.close();
  });
});
