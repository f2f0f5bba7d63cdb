import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DnsWorld } from '../../../../test/support/dns/dns-world.js';
import { FakeClock } from '../../../../test/support/time/fake-clock.js';
import { DnsClient } from './dns-client.js';
import { DnsMxResolver } from './dns-mx-resolver.js';

const NEVER = new AbortController().signal;
const REQUESTER = { team: 'team_a', priority: 'single' } as const;

let world: DnsWorld;
let clock: FakeClock;
let resolver: DnsMxResolver;

beforeAll(async () => {
  world = await DnsWorld.start({
    zones: {
      'good.test': {
        mx: [
          [20, 'Second.good.test.'],
          [10, 'first.good.test'],
          [30, 'first.good.test'],
        ],
        a: ['192.0.2.1'],
      },
      'dead.test': { mx: [[10, 'absent.test']], a: ['192.0.2.1'] },
      'literal.test': { mx: [[10, '192.0.2.1']] },
      'many.test': {
        mx: Array.from({ length: 30 }, (_, i): [number, string] => [30 - i, `mx${30 - i}.test`]),
      },
      'null.test': { mx: [[0, '.']], a: ['192.0.2.1'] },
      'null10.test': { mx: [[10, '.']] },
      'null10-address.test': { mx: [[10, '.']], a: ['192.0.2.1'] },
      'written.test': { mx: [[10, 'http://MX.written.test:25 ']], a: ['192.0.2.1'] },
      'mailbox.test': { mx: [[10, 'postmaster@mailbox.test']], a: ['192.0.2.1'] },
      'mailbox-only.test': { mx: [[10, 'postmaster@mailbox-only.test']] },
      'mixed.test': {
        mx: [
          [20, 'mx.mixed.test'],
          [10, 'see the website'],
          [15, 'or call us'],
        ],
      },
      'half-null.test': {
        mx: [
          [0, '.'],
          [10, 'mx.test'],
        ],
      },
      'v4.test': { a: ['192.0.2.1'], ttl: 100 },
      'v6.test': { aaaa: ['2001:db8::1'] },
      'text.test': { txt: ['v=spf1 -all'] },
      'broken.test': { rcode: 'SERVFAIL' },
      'refused.test': { rcode: 'REFUSED' },
      'silent.test': { behaviour: 'silent' },
      'alias.test': { cname: 'good.test' },
      'xn--bcher-kva.test': { mx: [[0, 'mx.test']] },
    },
    negativeTtl: 60,
  });
});
afterAll(() => world.stop());
beforeEach(() => {
  clock = new FakeClock();
  resolver = new DnsMxResolver(new DnsClient({ servers: [world.server], timeoutMs: 4000, clock }));
});

async function routeOf(domain: string) {
  return (await resolver.resolve(domain, NEVER, REQUESTER)).route;
}

describe('the requester of a route', () => {
  it('is passed with each query: it is answered while only others’ slots are held', async () => {
    const client = new DnsClient({
      servers: [world.server],
      timeoutMs: 5000,
      clock,
      maxInFlightPerTeam: 2,
    });
    const over = new AbortController();
    const held = ['silent-1.test', 'silent-2.test'].map((name) => {
      world.set(name, { behaviour: 'silent' });
      return client.mx(name, over.signal);
    });
    const { route } = await new DnsMxResolver(client).resolve('v4.test', NEVER, REQUESTER);
    expect(route).toMatchObject({ kind: 'hosts', implicit: true });
    over.abort();
    await Promise.all(held);
  });
});

describe('the route of a domain', () => {
  it('is its MX hosts by preference, each once', async () => {
    expect(await routeOf('good.test')).toEqual({
      kind: 'hosts',
      implicit: false,
      hosts: [
        { host: 'first.good.test', preference: 10 },
        { host: 'second.good.test', preference: 20 },
      ],
    });
  });

  it('is that of its alias target', async () => {
    expect(await routeOf('alias.test')).toMatchObject({
      kind: 'hosts',
      hosts: [{ host: 'first.good.test' }, {}],
    });
  });

  it('contains the twenty best hosts of a long list', async () => {
    const route = await routeOf('many.test');
    expect(route.kind === 'hosts' && route.hosts.map(({ preference }) => preference)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
  });

  it("is never the domain's own address while it has MX records, even when their hosts have none", async () => {
    const hosts = [{ host: 'absent.test', preference: 10 }];
    expect(await routeOf('dead.test')).toEqual({ kind: 'hosts', implicit: false, hosts });
  });

  it('contains an address that is written as a host', async () => {
    expect(await routeOf('literal.test')).toMatchObject({ hosts: [{ host: '192.0.2.1', preference: 10 }] });
  });

  it('is null MX when the only MX is the root with the preference 0', async () => {
    expect(await routeOf('null.test')).toEqual({ kind: 'null_mx' });
  });

  it('contains the host that people meant', async () => {
    expect(await routeOf('written.test')).toMatchObject({ hosts: [{ host: 'mx.written.test' }] });
  });

  it.each([
    ['null10-address.test', '10 .'],
    ['mailbox.test', '10 postmaster@mailbox.test'],
  ])('is dns_error when no MX names a host, and the domain has an address: %s', async (domain, record) => {
    expect(await routeOf(domain)).toEqual({
      kind: 'dns_error',
      error: `no MX record names a host: ${record}`,
    });
  });

  it.each(['null10.test', 'mailbox-only.test'])(
    'is no_mail_server when no MX names a host, and the domain has no address: %s',
    async (domain) => {
      expect(await routeOf(domain)).toEqual({ kind: 'no_mail_server' });
    },
  );

  it('keeps one record that names no host beside those that do', async () => {
    expect(await routeOf('mixed.test')).toMatchObject({
      hosts: [
        { host: 'see?the?website', preference: 10 },
        { host: 'mx.mixed.test', preference: 20 },
      ],
    });
  });

  it('ignores the root among others', async () => {
    const hosts = [{ host: 'mx.test', preference: 10 }];
    expect(await routeOf('half-null.test')).toEqual({ kind: 'hosts', implicit: false, hosts });
  });

  it.each(['v4.test', 'v6.test'])(
    'is the domain itself when it has no MX and an address: %s',
    async (domain) => {
      expect(await routeOf(domain)).toEqual({
        kind: 'hosts',
        implicit: true,
        hosts: [{ host: domain, preference: 0 }],
      });
    },
  );

  it('is found for an A-label', async () => {
    expect(await routeOf('xn--bcher-kva.test')).toMatchObject({ kind: 'hosts' });
  });

  it('is no_mail_server when the domain has neither MX nor address', async () => {
    expect(await routeOf('text.test')).toEqual({ kind: 'no_mail_server' });
  });

  it('is no_domain on NXDOMAIN', async () => {
    expect(await routeOf('absent.test')).toEqual({ kind: 'no_domain' });
  });

  it.each([
    ['broken.test', 'SERVFAIL'],
    ['refused.test', 'REFUSED'],
  ])('is dns_error when the name server fails: %s, %s', async (domain, saying) => {
    expect(await routeOf(domain)).toEqual({ kind: 'dns_error', error: `${world.server}: ${saying}` });
  });

  it('is dns_error when the signal aborts first', async () => {
    const deadline = new AbortController();
    const resolved = resolver.resolve('silent.test', deadline.signal, REQUESTER);
    await world.queriesFor('silent.test');
    deadline.abort();
    expect(await resolved).toEqual({ route: { kind: 'dns_error' }, ageSeconds: 0, cached: false });
  });

  it('is dns_error when there is no MX and the address query fails', async () => {
    world.set('half.test', { behaviour: 'drop_first' });
    const dns = new DnsClient({ servers: [world.server], timeoutMs: 4000, clock });
    const mx = dns.mx('half.test', NEVER);
    await world.queriesFor('half.test');
    await clock.advance(1000);
    expect(await mx).toMatchObject({ kind: 'no_data' });
    world.set('half.test', { rcode: 'SERVFAIL' });
    expect((await new DnsMxResolver(dns).resolve('half.test', NEVER, REQUESTER)).route).toEqual({
      kind: 'dns_error',
      error: `${world.server}: SERVFAIL`,
    });
  });
});

describe('the age of a route', () => {
  it('is that of its oldest answer; it is cached only when all of them are', async () => {
    expect(await resolver.resolve('v4.test', NEVER, REQUESTER)).toMatchObject({
      ageSeconds: 0,
      cached: false,
    });
    await clock.advance(30_000);
    expect(await resolver.resolve('v4.test', NEVER, REQUESTER)).toMatchObject({
      ageSeconds: 30,
      cached: true,
    });
    await clock.advance(40_000); // negative responses expire after 60 s, the address after 100 s
    expect(await resolver.resolve('v4.test', NEVER, REQUESTER)).toMatchObject({
      ageSeconds: 70,
      cached: false,
    });
  });
});
