import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import dnsPacket from 'dns-packet';
import { DnsWorld } from '../../../../test/support/dns/dns-world.js';
import type { DnsWorldOptions } from '../../../../test/support/dns/dns-world.js';
import { FakeClock } from '../../../../test/support/time/fake-clock.js';
import { DnsClient } from './dns-client.js';

const NEVER = new AbortController().signal;

const running: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((stop) => stop()));
});

async function aWorld(zones: DnsWorldOptions['zones'], negativeTtl: number | null = 60): Promise<DnsWorld> {
  const world = await DnsWorld.start({ zones, negativeTtl });
  running.push(() => world.stop());
  return world;
}

const aClient = (...servers: string[]) =>
  new DnsClient({ servers, timeoutMs: 4_000, clock: new FakeClock() });

/** Starts a server that answers each query with these parts; returns its address. */
async function aServer(partsFor: (name: string) => object, flags = 3): Promise<string> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  running.push(() => socket.close());
  socket.on('message', (message, from) => {
    const query = dnsPacket.decode(message);
    const parts = partsFor(query.questions?.[0]?.name ?? '');
    const answer = { ...query, additionals: [], ...parts, type: 'response' as const, flags };
    socket.send(dnsPacket.encode(answer), from.port, from.address);
  });
  await once(socket, 'listening');
  return `127.0.0.1:${socket.address().port}`;
}

function soaOf(name: string): dnsPacket.Answer {
  const numbers = { serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 60 };
  return { type: 'SOA', name, ttl: 60, data: { mname: 'ns.test', rname: 'a.test', ...numbers } };
}

const ALIAS: dnsPacket.Answer = { type: 'CNAME', name: 'x.test', data: 'y.elsewhere' };

describe('a negative response (RFC 2308)', () => {
  it.each([
    ['NXDOMAIN only', {}, 3],
    ['no data only', {}, 0],
    ['an alias of a non-existent name, without an SOA', { answers: [ALIAS] }, 3],
    [
      'an alias of a non-existent name, with the SOA of the alias',
      { answers: [ALIAS], authorities: [soaOf('test')] },
      3,
    ],
    ['the SOA of a filter’s list', { authorities: [soaOf('blocked.filter')] }, 3],
    ['the SOA of a sibling zone', { authorities: [soaOf('y.test')] }, 0],
  ] as const)('is not accepted with %s', async (_, parts, flags) => {
    const server = await aServer(() => parts, flags);
    expect(await aClient(server).mx('x.test', NEVER)).toMatchObject({ kind: 'error', cached: false });
  });

  it('is accepted with the SOA of a zone that contains the name, or the target of its alias', async () => {
    const parts = { answers: [ALIAS], authorities: [soaOf('elsewhere')] };
    const server = await aServer((name) => (name === 'x.test' ? parts : { authorities: [soaOf('a.test')] }));
    const client = aClient(server);
    for (const name of ['x.test', 'a.test', 'b.a.test'])
      expect(await client.mx(name, NEVER)).toMatchObject({ kind: 'no_domain' });
  });

  it('is queried over TCP when it is truncated', async () => {
    const world = await aWorld({ 'cut.test': { rcode: 'NXDOMAIN', behaviour: 'truncate' } });
    expect(await aClient(world.server).mx('cut.test', NEVER)).toMatchObject({ kind: 'no_domain' });
    expect(world.questions.map(({ transport }) => transport)).toEqual(['udp', 'tcp']);
  });

  it('without proof makes the client query the next server', async () => {
    const bare = await aWorld({}, null);
    const good = await aWorld({ 'good.test': { mx: [[0, 'mx.test']] } });
    const client = aClient(bare.server, good.server);
    expect(await client.mx('good.test', NEVER)).toMatchObject({ kind: 'records' });
    expect(await client.mx('absent.test', NEVER)).toMatchObject({ kind: 'no_domain' });
  });

  it('for IPv6 without proof does not affect the IPv4 addresses of a host', async () => {
    const world = await aWorld({ 'v4.test': { a: ['192.0.2.1'] }, 'none.test': { txt: ['x'] } }, null);
    const client = aClient(world.server);
    expect(await client.addresses('v4.test', NEVER)).toMatchObject({ addresses: ['192.0.2.1'] });
    expect(await client.addresses('none.test', NEVER)).toMatchObject({ kind: 'error' });
  });
});
