import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DnsWorld } from '../../../../test/support/dns/dns-world.js';
import { FakeClock } from '../../../../test/support/time/fake-clock.js';
import { DnsClient } from './dns-client.js';
import { DAY_SECONDS } from '../../../kernel/durations.js';

const NEVER = new AbortController().signal;

let world: DnsWorld;
let clock: FakeClock;
let dns: DnsClient;

beforeAll(async () => {
  world = await DnsWorld.start({ zones: {}, negativeTtl: 120 });
});
afterAll(() => world.stop());
beforeEach(() => {
  clock = new FakeClock();
  dns = aClient();
  world.questions.length = 0;
});

function aClient(server = world.server, cacheEntries = 100): DnsClient {
  return new DnsClient({ servers: [server], timeoutMs: 1000, clock, cacheEntries });
}

/** Whether a question is answered from the cache some seconds later. */
async function isRemembered(name: string, seconds: number, client = dns): Promise<boolean> {
  await clock.advance(seconds * 1000);
  return (await client.mx(name, NEVER)).cached;
}

describe('an answer', () => {
  it('is cached for its TTL, with its age, and then queried again', async () => {
    world.set('x.test', { mx: [[0, 'old.test']], ttl: 60 });
    expect(await dns.mx('x.test', NEVER)).toMatchObject({ ageSeconds: 0, cached: false });
    world.set('x.test', { mx: [[0, 'new.test']], ttl: 60 });
    await clock.advance(59_999);
    expect(await dns.mx('X.test.', NEVER)).toMatchObject({
      records: [{ host: 'old.test' }],
      ageSeconds: 59,
      cached: true,
    });
    await clock.advance(1);
    expect(await dns.mx('x.test', NEVER)).toMatchObject({
      records: [{ host: 'new.test' }],
      ageSeconds: 0,
      cached: false,
    });
    expect(world.questions).toHaveLength(2);
  });

  it('is cached no longer than the shortest TTL of its aliases', async () => {
    world.set('a.test', { cname: 'b.test', ttl: 10 });
    world.set('b.test', { mx: [[0, 'mx.test']], ttl: 300 });
    await dns.mx('a.test', NEVER);
    expect(await isRemembered('a.test', 9)).toBe(true);
    expect(await isRemembered('a.test', 1)).toBe(false);
  });

  it('is cached for an hour at most', async () => {
    world.set('x.test', { mx: [[0, 'mx.test']], ttl: DAY_SECONDS });
    await dns.mx('x.test', NEVER);
    expect(await isRemembered('x.test', 3599)).toBe(true);
    expect(await isRemembered('x.test', 1)).toBe(false);
  });

  it.each([0, 2 ** 31])('with a TTL of %d is not cached', async (ttl) => {
    world.set('x.test', { mx: [[0, 'mx.test']], ttl });
    await dns.mx('x.test', NEVER);
    expect(await isRemembered('x.test', 0)).toBe(false);
  });

  it('is cached per type', async () => {
    world.set('x.test', { mx: [[0, 'mx.test']], a: ['192.0.2.1'] });
    await dns.mx('x.test', NEVER);
    expect(await dns.addresses('x.test', NEVER)).toMatchObject({ cached: false });
    expect(await dns.addresses('x.test', NEVER)).toMatchObject({ cached: true, ageSeconds: 0 });
  });

  it('of two families has the age of the older one, and is cached only when both are', async () => {
    world.set('x.test', { a: ['192.0.2.1'], aaaa: ['2001:db8::1'], ttl: 20 });
    await dns.addresses('x.test', NEVER);
    world.set('x.test', null);
    await clock.advance(7_000);
    expect(await dns.addresses('x.test', NEVER)).toMatchObject({ ageSeconds: 7, cached: true });
  });

  it('evicts the least recently used one when the cache is full', async () => {
    const small = aClient(world.server, 2);
    for (const name of ['one.test', 'two.test', 'three.test']) {
      world.set(name, { mx: [[0, 'mx.test']] });
      await small.mx(name, NEVER);
    }
    expect(await isRemembered('three.test', 0, small)).toBe(true);
    expect(await isRemembered('two.test', 0, small)).toBe(true);
    expect(await isRemembered('one.test', 0, small)).toBe(false);
  });
});

describe('a full cache', () => {
  const list = { team: 'team_a', priority: 'list' } as const;
  const single = { team: 'team_a', priority: 'single' } as const;
  const askAll = async (client: DnsClient, count: number, prefix: string) => {
    for (let n = 0; n < count; n += 1) await client.mx(`${prefix}-${n}.test`, NEVER, list);
  };
  const isKept = async (client: DnsClient, name: string) => (await client.mx(name, NEVER)).cached;

  it('keeps what single calls have looked up while a list looks up many names', async () => {
    const small = aClient(world.server, 10);
    for (const name of ['one.test', 'two.test']) await small.mx(name, NEVER, single);
    await askAll(small, 50, 'many');
    expect([await isKept(small, 'one.test'), await isKept(small, 'two.test')]).toEqual([true, true]);
    expect(await isKept(small, 'many-39.test')).toBe(false);
    expect(await isKept(small, 'many-49.test')).toBe(true);
  });

  it('keeps what a single call uses, also if a list has looked it up', async () => {
    const small = aClient(world.server, 10);
    await askAll(small, 10, 'many');
    expect((await small.mx('many-3.test', NEVER, single)).cached).toBe(true);
    await small.mx('many-3.test', NEVER, list);
    await askAll(small, 50, 'more');
    expect(await isKept(small, 'many-3.test')).toBe(true);
    expect(await isKept(small, 'many-4.test')).toBe(false);
  });

  it('keeps what a single call uses, also if a list stores it last', async () => {
    const small = aClient(world.server, 10);
    await askAll(small, 3, 'few');
    await Promise.all([single, list].map((requester) => small.mx('both.test', NEVER, requester)));
    await askAll(small, 50, 'many');
    expect(await isKept(small, 'both.test')).toBe(true);
  });
});

describe('an answer of two hundred records', () => {
  it('is cached as the fifty most preferred', async () => {
    const mx = Array.from({ length: 200 }, (_, n): [number, string] => [200 - n, `mx${200 - n}.test`]);
    world.set('large.test', { mx });
    const answer = await dns.mx('large.test', NEVER);
    const records = answer.kind === 'records' ? answer.records : [];
    const expected = Array.from({ length: 50 }, (_, n) => ({ host: `mx${n + 1}.test`, preference: n + 1 }));
    expect(records).toEqual(expected);
  });
});

describe('an answer with a TTL of 0', () => {
  it('takes no room in the cache', async () => {
    const small = aClient(world.server, 1);
    world.set('kept.test', { mx: [[0, 'mx.test']] });
    world.set('passing.test', { mx: [[0, 'mx.test']], ttl: 0 });
    await small.mx('kept.test', NEVER);
    await small.mx('passing.test', NEVER);
    expect(await isRemembered('kept.test', 0, small)).toBe(true);
  });
});

describe('a negative response', () => {
  it.each(['absent.test', 'empty.test'])("is cached for the SOA's minimum (%s)", async (name) => {
    world.set('empty.test', {});
    await dns.mx(name, NEVER);
    expect(await isRemembered(name, 119)).toBe(true);
    expect(await isRemembered(name, 1)).toBe(false);
  });

  it.each([
    ['a quarter of an hour at most', DAY_SECONDS, 899, true],
    ['a quarter of an hour at most', DAY_SECONDS, 900, false],
    ['no time without an SOA', null, 0, false],
  ])('is cached for %s (SOA %s s, after %d s: %s)', async (_, negativeTtl, seconds, expected) => {
    const other = await DnsWorld.start({ zones: {}, negativeTtl });
    const client = aClient(other.server);
    await client.mx('absent.test', NEVER);
    expect(await isRemembered('absent.test', seconds, client)).toBe(expected);
    await other.stop();
  });
});

describe('an error', () => {
  it('is not cached', async () => {
    world.set('x.test', { rcode: 'SERVFAIL' });
    expect(await dns.mx('x.test', NEVER)).toMatchObject({ kind: 'error' });
    world.set('x.test', { mx: [[0, 'mx.test']] });
    expect(await dns.mx('x.test', NEVER)).toMatchObject({ kind: 'records' });
  });
});
