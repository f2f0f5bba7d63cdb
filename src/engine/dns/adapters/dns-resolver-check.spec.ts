import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { DnsWorld } from '../../../../test/support/dns/dns-world.js';
import type { DnsWorldOptions } from '../../../../test/support/dns/dns-world.js';
import { FakeClock } from '../../../../test/support/time/fake-clock.js';
import { DnsClient } from './dns-client.js';
import { ResolverCheck, WELL_KNOWN_DOMAINS } from './dns-resolver-check.js';
import { MINUTE_MS } from '../../../kernel/durations.js';

const NEVER = new AbortController().signal;
const [FIRST] = WELL_KNOWN_DOMAINS;

const worlds: DnsWorld[] = [];
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.stop()));
});

async function aWorld(options: Partial<DnsWorldOptions> = {}): Promise<DnsWorld> {
  const world = await DnsWorld.start({ zones: { 'web.test': { a: ['192.0.2.1'] } }, ...options });
  worlds.push(world);
  return world;
}

function aClient(...servers: DnsWorld[]) {
  const clock = new FakeClock();
  const changes: [server: string, isHealthy: boolean][] = [];
  const outages: [server: string, saying: string | null][] = [];
  const resolvers = new ResolverCheck({
    clock,
    onResolverHealth: (...change) => changes.push(change),
    onResolverOutage: (...outage) => outages.push(outage),
  });
  const dns = new DnsClient({
    servers: servers.map(({ server }) => server),
    timeoutMs: 4_000,
    clock,
    resolvers,
  });
  return { dns, clock, resolvers, changes, outages };
}

const setProviders = (world: DnsWorld, records: Parameters<DnsWorld['set']>[1]) => {
  for (const domain of WELL_KNOWN_DOMAINS) world.set(domain, records);
};
const checksOf = (world: DnsWorld) =>
  world.questions.filter(({ name }) => (WELL_KNOWN_DOMAINS as readonly string[]).includes(name)).length;

describe('a name server that resolves well-known domains', () => {
  it('is queried for one of them, once for all negative responses within five minutes', async () => {
    const world = await aWorld();
    const { dns, clock } = aClient(world);
    const names = ['one.test', 'two.test', 'three.test'];
    const kinds = await Promise.all(names.map(async (name) => (await dns.mx(name, NEVER)).kind));
    expect(kinds).toEqual(['no_domain', 'no_domain', 'no_domain']);
    expect(checksOf(world)).toBe(1);
    await clock.advance(5 * MINUTE_MS - 1);
    await dns.mx('four.test', NEVER);
    expect(checksOf(world)).toBe(1);
    await clock.advance(1);
    await dns.mx('five.test', NEVER);
    expect(checksOf(world)).toBe(2);
  });

  it('is not checked for answers with records or for hosts without an IPv6 address', async () => {
    const world = await aWorld();
    const { dns } = aClient(world);
    expect(await dns.addresses('web.test', NEVER)).toMatchObject({ kind: 'addresses' });
    expect(checksOf(world)).toBe(0);
  });

  it('may deny some of them, as a network may block one', async () => {
    const world = await aWorld();
    world.set(FIRST, null);
    const { dns, resolvers } = aClient(world);
    expect(await dns.mx('absent.test', NEVER)).toMatchObject({ kind: 'no_domain' });
    expect(resolvers.countUnhealthy()).toBe(0);
  });
});

describe('a name server that denies well-known domains', () => {
  it.each([
    ['as absent', null],
    ['as domains without MX records', { a: ['192.0.2.80'] }],
  ])('%s, gives no accepted negative response', async (_, records) => {
    const world = await aWorld();
    setProviders(world, records);
    const { dns, changes } = aClient(world);
    expect(await dns.mx('absent.test', NEVER)).toMatchObject({ kind: 'error' });
    expect(await dns.mx('web.test', NEVER)).toMatchObject({ kind: 'error' });
    expect(await dns.addresses('absent.test', NEVER)).toMatchObject({ kind: 'error' });
    expect(await dns.addresses('web.test', NEVER)).toMatchObject({ kind: 'addresses' });
    expect(changes).toEqual([[world.server, false]]);
  });

  it('is detected by a negative response without proof too', async () => {
    const world = await aWorld({ negativeTtl: null, knowsProviders: false });
    const { dns, resolvers } = aClient(world);
    expect(await dns.mx('absent.test', NEVER)).toMatchObject({ kind: 'error' });
    await world.until(() => checksOf(world) === WELL_KNOWN_DOMAINS.length);
    expect(await dns.mx('other.test', NEVER)).toMatchObject({ kind: 'error' });
    expect(resolvers.countUnhealthy()).toBe(1);
  });

  it('invalidates negative responses that were cached before, and no others', async () => {
    const world = await aWorld({ negativeTtl: 900 });
    world.set('good.test', { mx: [[0, 'mx.test']], ttl: 900 });
    const { dns, clock } = aClient(world);
    expect(await dns.mx('absent.test', NEVER)).toMatchObject({ kind: 'no_domain' });
    await dns.mx('good.test', NEVER);
    setProviders(world, null);
    await clock.advance(5 * MINUTE_MS);
    expect(await dns.mx('absent.test', NEVER)).toMatchObject({ kind: 'no_domain', cached: true });
    expect(await dns.mx('other.test', NEVER)).toMatchObject({ kind: 'error' });
    expect(await dns.mx('absent.test', NEVER)).toMatchObject({ kind: 'error' });
    expect(await dns.mx('good.test', NEVER)).toMatchObject({ kind: 'records', cached: true });
  });

  it('is replaced by the next server, whose answer is accepted', async () => {
    const [liar, honest] = [await aWorld(), await aWorld()];
    setProviders(liar, null);
    honest.set('good.test', { mx: [[0, 'mx.test']] });
    const { dns } = aClient(liar, honest);
    expect(await dns.mx('good.test', NEVER)).toMatchObject({ kind: 'records' });
    expect(await dns.mx('absent.test', NEVER)).toMatchObject({ kind: 'no_domain' });
  });

  it('is checked again after 30 s, also by a health check', async () => {
    const world = await aWorld();
    setProviders(world, null);
    const { dns, clock, resolvers, changes } = aClient(world);
    await dns.mx('absent.test', NEVER);
    setProviders(world, { mx: [[0, 'mx.test']] });
    const before = checksOf(world);
    await clock.advance(30_000);
    resolvers.countUnhealthy();
    await world.until(() => checksOf(world) > before);
    expect(await dns.mx('absent.test', NEVER)).toMatchObject({ kind: 'no_domain' });
    expect(changes).toEqual([
      [world.server, false],
      [world.server, true],
    ]);
  });
});

describe('a name server that does not answer for well-known domains', () => {
  it.each([{ rcode: 'SERVFAIL' }, { rcode: 'REFUSED' }] as const)(
    'but %o, as in a closed network, is accepted',
    async (records) => {
      const world = await aWorld();
      setProviders(world, records);
      const { dns } = aClient(world);
      expect(await dns.mx('absent.test', NEVER)).toMatchObject({ kind: 'no_domain' });
      expect(checksOf(world)).toBe(3);
    },
  );

  it('but times out, is accepted after a second for each, and not checked again for five minutes', async () => {
    const world = await aWorld();
    setProviders(world, { behaviour: 'silent' });
    const { dns, clock } = aClient(world);
    const answer = dns.mx('absent.test', NEVER);
    for (const domain of WELL_KNOWN_DOMAINS) {
      await world.queriesFor(domain);
      await clock.advance(1_000);
    }
    expect(await answer).toMatchObject({ kind: 'no_domain' });
    expect(await dns.mx('other.test', NEVER)).toMatchObject({ kind: 'no_domain' });
    expect(checksOf(world)).toBe(3);
  });
});

describe('a name server that answers for no domain', () => {
  const names = ['one.test', 'two.test', 'three.test', 'four.test', 'five.test', 'six.test'];

  it.each([{ rcode: 'REFUSED' }, { rcode: 'SERVFAIL' }] as const)(
    'but %o is unhealthy after failures for three names, reported once, until it answers',
    async (records) => {
      const world = await aWorld();
      for (const name of names) world.set(name, records);
      setProviders(world, records);
      const { dns, clock, resolvers, outages } = aClient(world);
      for (const name of names.slice(0, 2)) await dns.mx(name, NEVER);
      expect(checksOf(world)).toBe(0);
      for (const name of names) await dns.mx(name, NEVER);
      await world.until(() => checksOf(world) === WELL_KNOWN_DOMAINS.length);
      await until(() => resolvers.countUnhealthy() === 1);
      expect(resolvers.reason()).toContain(records.rcode);
      expect(resolvers.deniesAny()).toBe(false);
      for (const name of names) await dns.mx(name, NEVER);
      expect(outages).toEqual([[world.server, records.rcode]]);
      expect(checksOf(world)).toBe(WELL_KNOWN_DOMAINS.length);

      world.set('good.test', { mx: [[0, 'mx.test']] });
      await dns.mx('good.test', NEVER);
      expect(resolvers.countUnhealthy()).toBe(0);
      expect(outages.at(-1)).toEqual([world.server, null]);
      expect(clock.monotonicMs()).toBe(0);
    },
  );

  it('because it is down is noticed too', async () => {
    const world = await aWorld({ zones: {}, lie: { behaviour: 'silent' } });
    setProviders(world, { behaviour: 'silent' });
    const { dns, clock, resolvers } = aClient(world);
    const calls = Promise.all(names.map((name) => dns.mx(name, NEVER)));
    let areOver = false;
    void calls.then(() => (areOver = true));
    for (; !areOver || resolvers.countUnhealthy() === 0; await setImmediate()) await clock.advance(100);
    expect(resolvers.reason()).toContain('no response');
    expect(new Set((await calls).map(({ kind }) => kind))).toEqual(new Set(['error']));
  });

  it('is healthy again after a health check finds that it answers, without any verification', async () => {
    const world = await aWorld();
    for (const name of names) world.set(name, { rcode: 'REFUSED' });
    setProviders(world, { rcode: 'REFUSED' });
    const { dns, clock, resolvers } = aClient(world);
    for (const name of names) await dns.mx(name, NEVER);
    await until(() => resolvers.countUnhealthy() === 1);
    setProviders(world, { mx: [[0, 'mx.test']] });
    await clock.advance(30_000);
    resolvers.countUnhealthy();
    await until(() => resolvers.countUnhealthy() === 0);
  });

  it('is not concluded from domains whose own servers fail', async () => {
    const world = await aWorld();
    for (const name of names) world.set(name, { rcode: 'SERVFAIL' });
    setProviders(world, { mx: [[0, 'mx.test']] });
    const { dns, resolvers, outages } = aClient(world);
    for (const name of names) await dns.mx(name, NEVER);
    await world.until(() => checksOf(world) === 1);
    await dns.mx('absent.test', NEVER);
    expect([resolvers.countUnhealthy(), outages, checksOf(world)]).toEqual([0, [], 1]);
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await setImmediate();
}

it('a caller that aborts before the check ends gets an error and caches nothing', async () => {
  const world = await aWorld();
  setProviders(world, { behaviour: 'silent' });
  const { dns, clock } = aClient(world);
  const caller = new AbortController();
  const answer = dns.mx('absent.test', caller.signal);
  await world.queriesFor(FIRST);
  caller.abort();
  expect(await answer).toMatchObject({ kind: 'error' });
  const next = dns.mx('absent.test', NEVER);
  await world.queriesFor('absent.test', 2);
  for (const domain of WELL_KNOWN_DOMAINS) {
    await world.queriesFor(domain);
    await clock.advance(1_000);
  }
  expect(await next).toMatchObject({ kind: 'no_domain', cached: false });
});
