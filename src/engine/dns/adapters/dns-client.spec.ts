import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import dnsPacket from 'dns-packet';
import { DnsWorld } from '../../../../test/support/dns/dns-world.js';
import type { DnsWorldOptions } from '../../../../test/support/dns/dns-world.js';
import { FakeClock } from '../../../../test/support/time/fake-clock.js';
import { DnsClient } from './dns-client.js';
import type { DnsClientOptions } from './dns-client.js';

const TIMEOUT_MS = 4000;
const TRY_MS = TIMEOUT_MS / 4;
const NEVER = new AbortController().signal;

const running: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((stop) => stop()));
});

async function aWorld(
  zones: DnsWorldOptions['zones'],
  options: Partial<DnsWorldOptions> = {},
): Promise<DnsWorld> {
  const world = await DnsWorld.start({ zones, ...options });
  running.push(() => world.stop());
  return world;
}

function aClient(servers: DnsWorld[], options: Partial<DnsClientOptions> = {}) {
  const clock = new FakeClock();
  const dns = new DnsClient({
    servers: servers.map(({ server }) => server),
    timeoutMs: TIMEOUT_MS,
    clock,
    ...options,
  });
  return { dns, clock };
}

/** A server with custom replies; its address. */
async function aServer(reply: (query: dnsPacket.DecodedPacket) => Buffer): Promise<string> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  running.push(() => socket.close());
  socket.on('message', (message, from) =>
    socket.send(reply(dnsPacket.decode(message)), from.port, from.address),
  );
  await once(socket, 'listening');
  return `127.0.0.1:${socket.address().port}`;
}

const FRESH = { ageSeconds: 0, cached: false };

describe('a question for mail exchangers', () => {
  it('is answered with the records as published, lower case and without the final dot', async () => {
    const world = await aWorld({
      'Good.test': {
        mx: [
          [20, 'B.good.test.'],
          [10, 'a.good.test'],
        ],
      },
    });
    const answer = await aClient([world]).dns.mx('GOOD.test.', NEVER);
    expect(answer).toEqual({
      kind: 'records',
      records: [
        { host: 'b.good.test', preference: 20 },
        { host: 'a.good.test', preference: 10 },
      ],
      addresses: [],
      ...FRESH,
    });
  });

  it('distinguishes a missing name from a name without mail exchangers', async () => {
    const world = await aWorld({ 'web.test': { a: ['192.0.2.1'] } });
    const { dns } = aClient([world]);
    expect(await dns.mx('web.test', NEVER)).toEqual({ kind: 'no_data', ...FRESH });
    expect(await dns.mx('absent.test', NEVER)).toEqual({ kind: 'no_domain', ...FRESH });
  });

  it('returns the root as an empty host and invalid bytes as question marks', async () => {
    const world = await aWorld({
      'null.test': { mx: [[0, '.']] },
      'odd.test': {
        mx: [
          [1, 'a\0b\n\u001b[31m.test'],
          [2, 'mx.bücher.test'],
          [3, '192.0.2.1'],
        ],
      },
    });
    const { dns } = aClient([world]);
    expect(await dns.mx('null.test', NEVER)).toMatchObject({ records: [{ host: '', preference: 0 }] });
    const odd = await dns.mx('odd.test', NEVER);
    expect(odd.kind === 'records' && odd.records.map(({ host }) => host)).toEqual([
      'a?b??[31m.test',
      'mx.xn--bcher-kva.test',
      '192.0.2.1',
    ]);
  });

  it.each([
    ['an empty name', ''],
    ['an empty label', 'a..test'],
    ['a label of 64 octets', `${'a'.repeat(64)}.test`],
    ['a name of 254 octets', `${'a.'.repeat(126)}ab`],
    ['a U-label', 'bücher.test'],
    ['a space', 'a b.test'],
    ['an address', '192.0.2.1'],
    ['an IPv6 address', '2001:db8::1'],
    ['an address literal', '[192.0.2.1]'],
  ])('is not sent for %s', async (_, name) => {
    const world = await aWorld({});
    const { dns } = aClient([world]);
    expect(await dns.mx(name, NEVER)).toMatchObject({ kind: 'no_data' });
    expect(await dns.addresses(name, NEVER)).toMatchObject({ kind: 'none' });
    expect(world.questions).toEqual([]);
  });
});

describe("a question for a host's addresses", () => {
  it('puts IPv4 first', async () => {
    const world = await aWorld({ 'mx.test': { aaaa: ['2001:db8::1'], a: ['192.0.2.1', '192.0.2.2'] } });
    const answer = await aClient([world]).dns.addresses('mx.test', NEVER);
    expect(answer).toEqual({
      kind: 'addresses',
      addresses: ['192.0.2.1', '192.0.2.2', '2001:db8::1'],
      ...FRESH,
    });
  });

  it('is none when the name does not exist or has no address', async () => {
    const world = await aWorld({ 'txt.test': { txt: ['hello'] } });
    const { dns } = aClient([world]);
    expect(await dns.addresses('txt.test', NEVER)).toEqual({ kind: 'none', ...FRESH });
    expect(await dns.addresses('absent.test', NEVER)).toEqual({ kind: 'none', ...FRESH });
  });

  it.each([
    ['has addresses when one family fails and the other has some', { answers: true, kind: 'addresses' }],
    ['is an error when one family fails and the other has none', { answers: false, kind: 'error' }],
  ])('%s', async (_, { answers, kind }) => {
    const half = await aServer((query) => {
      const [question] = query.questions!;
      const flags = question!.type === 'AAAA' ? 2 : 0;
      const found = { type: 'A' as const, name: 'mx.test', ttl: 60, data: '192.0.2.1' };
      return dnsPacket.encode({
        ...query,
        type: 'response',
        flags,
        answers: answers && !flags ? [found] : [],
      });
    });
    const { dns } = aClient([], { servers: [half] });
    expect(await dns.addresses('mx.test', NEVER)).toMatchObject({ kind });
  });
});

describe('aliases', () => {
  it('are followed within the answer, and by further queries when it has no data', async () => {
    const world = await aWorld({
      'a.test': { cname: 'b.test' },
      'b.test': { cname: 'c.test' },
      'c.test': { a: ['192.0.2.9'] },
    });
    expect(await aClient([world]).dns.addresses('a.test', NEVER)).toMatchObject({ addresses: ['192.0.2.9'] });
    expect(world.questions.map(({ name, type }) => `${type} ${name}`)).toEqual([
      'A a.test',
      'AAAA a.test',
      'AAAA c.test',
    ]);
  });

  it('are queried when the answer ends with one', async () => {
    const zones = { 'a.test': { cname: 'b.test' }, 'b.test': { mx: [[5, 'mx.test']] as [number, string][] } };
    const world = await aWorld(zones, { followsAliases: false });
    expect(await aClient([world]).dns.mx('a.test', NEVER)).toMatchObject({ records: [{ host: 'mx.test' }] });
    expect(world.questions.map(({ name }) => name)).toEqual(['a.test', 'b.test']);
  });

  it('that lead to a missing name make the name missing', async () => {
    const world = await aWorld({ 'a.test': { cname: 'absent.test' } });
    expect(await aClient([world]).dns.mx('a.test', NEVER)).toMatchObject({ kind: 'no_domain' });
  });

  it.each([true, false])(
    'are followed up to a chain of eight; nine or a loop are an error (one answer: %s)',
    async (followsAliases) => {
      const row = Object.fromEntries(
        Array.from({ length: 9 }, (_, i) => [`n${i}.test`, { cname: `n${i + 1}.test` }]),
      );
      const world = await aWorld({ ...row, 'n9.test': { a: ['192.0.2.9'] } }, { followsAliases });
      const circle = await aWorld(
        { 'x.test': { cname: 'y.test' }, 'y.test': { cname: 'x.test' } },
        { followsAliases: false },
      );
      expect(await aClient([world]).dns.addresses('n1.test', NEVER)).toMatchObject({ kind: 'addresses' });
      expect(await aClient([world]).dns.addresses('n0.test', NEVER)).toMatchObject({ kind: 'error' });
      expect(await aClient([circle]).dns.mx('x.test', NEVER)).toMatchObject({ kind: 'error' });
    },
  );
});

describe('servers that fail', () => {
  it('cost a quarter of the timeout when a packet is lost, not the answer', async () => {
    const world = await aWorld({ 'lossy.test': { mx: [[0, 'mx.test']], behaviour: 'drop_first' } });
    const { dns, clock } = aClient([world]);
    const answer = dns.mx('lossy.test', NEVER);
    await world.queriesFor('lossy.test');
    await clock.advance(TRY_MS);
    expect(await answer).toMatchObject({ kind: 'records' });
    expect(clock.monotonicMs()).toBe(TRY_MS);
    expect(clock.pausing).toBe(0);
  });

  it('are asked three times when they do not answer, with most time for the second query', async () => {
    const world = await aWorld({ 'silent.test': { behaviour: 'silent' } });
    const { dns, clock } = aClient([world]);
    const answer = dns.mx('silent.test', NEVER);
    for (const [n, waits] of [1, 2, 1].entries()) {
      await world.queriesFor('silent.test', n + 1);
      await clock.advance(waits * TRY_MS - 1);
      expect(world.questions).toHaveLength(n + 1);
      await clock.advance(1);
    }
    expect(await answer).toEqual({ kind: 'error', error: `${world.server}: no response`, ...FRESH });
    expect(world.questions.map(({ port }) => port)).toHaveLength(
      new Set(world.questions.map(({ port }) => port)).size,
    );
  });

  it.each([{ rcode: 'SERVFAIL' }, { rcode: 'REFUSED' }, { behaviour: 'garbage' }] as const)(
    'with %o are not queried again, and the next server answers',
    async (fault) => {
      const bad = await aWorld({ 'good.test': fault });
      const good = await aWorld({ 'good.test': { mx: [[0, 'mx.test']] } });
      expect(await aClient([bad, good]).dns.mx('good.test', NEVER)).toMatchObject({ kind: 'records' });
      expect(await aClient([bad]).dns.mx('good.test', NEVER)).toMatchObject({ kind: 'error' });
      expect([bad.questions.length, good.questions.length]).toEqual([2, 1]);
    },
  );

  it('because they are not running are skipped at once', async () => {
    const good = await aWorld({ 'good.test': { mx: [[0, 'mx.test']] } });
    const gone = await DnsWorld.start({ zones: {} });
    const servers = [gone.server, good.server];
    await gone.stop();
    expect(await aClient([], { servers }).dns.mx('good.test', NEVER)).toMatchObject({ kind: 'records' });
  });

  it('by not answering are queried last from then on', async () => {
    const silent = await aWorld({ 'one.test': { behaviour: 'silent' }, 'two.test': { behaviour: 'silent' } });
    const good = await aWorld({ 'one.test': { mx: [[0, 'mx.test']] }, 'two.test': { mx: [[0, 'mx.test']] } });
    const { dns, clock } = aClient([silent, good]);
    const first = dns.mx('one.test', NEVER);
    await silent.queriesFor('one.test');
    await clock.advance(TRY_MS);
    expect(await first).toMatchObject({ kind: 'records' });
    expect(await dns.mx('two.test', NEVER)).toMatchObject({ kind: 'records' });
    expect(silent.questions).toHaveLength(1);
  });

  it('without EDNS support are queried without it', async () => {
    const old = await aServer((query) => {
      const hasEdns = query.additionals!.length > 0;
      const found = {
        type: 'MX' as const,
        name: 'old.test',
        ttl: 60,
        data: { preference: 1, exchange: 'mx.test' },
      };
      if (hasEdns) return dnsPacket.encode({ id: query.id, type: 'response', flags: 1 });
      return dnsPacket.encode({ ...query, type: 'response', flags: 0, answers: [found] });
    });
    expect(await aClient([], { servers: [old] }).dns.mx('old.test', NEVER)).toMatchObject({
      kind: 'records',
    });
  });

  it.each([
    ['only point at other servers', { authorities: [{ type: 'NS', name: 'test', data: 'ns.test' }] }],
    [
      'refuse with an extended code',
      { additionals: [{ type: 'OPT', name: '.', extendedRcode: 1, udpPayloadSize: 512 }] },
    ],
  ])('because they %s do not answer for the name', async (_, parts) => {
    const lame = await aServer((query) =>
      dnsPacket.encode({ ...query, additionals: [], ...(parts as object), type: 'response', flags: 0 }),
    );
    expect(await aClient([], { servers: [lame] }).dns.mx('x.test', NEVER)).toMatchObject({
      kind: 'error',
    });
  });

  it('because their address is invalid are named', () => {
    expect(() => aClient([], { servers: ['localhost'] })).toThrow('"localhost" is not a DNS server');
  });
});
