import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DnsWorld } from '../../../../test/support/dns/dns-world.js';
import { FakeClock } from '../../../../test/support/time/fake-clock.js';
import type { Priority, Requester } from '../../../kernel/concurrency/fair-queue.js';
import { DnsClient } from './dns-client.js';
import type { DnsClientOptions } from './dns-client.js';

/** The clock is stopped unless a test advances it: a name without an answer keeps its slot until then. */
const TIMEOUT_MS = 4_000;
const RECORDS = { kind: 'records', cached: false };

let world: DnsWorld;
let clock: FakeClock;
let over: AbortController;

beforeEach(async () => {
  world = await DnsWorld.start({
    zones: {
      'good.test': { mx: [[0, 'mx.good.test']] },
      'mx.good.test': { a: ['192.0.2.1'] },
      'other.test': { mx: [[0, 'mx.good.test']] },
    },
  });
  clock = new FakeClock();
  over = new AbortController();
});
afterEach(async () => {
  over.abort();
  await world.stop();
});

function aClient(options: Partial<DnsClientOptions> = {}): DnsClient {
  return new DnsClient({ servers: [world.server], timeoutMs: TIMEOUT_MS, clock, ...options });
}

function requester(team: string, priority: Priority = 'single'): Requester {
  return { team, priority };
}

const victim = requester('team_victim');
const attacker = requester('team_attacker');

/** Looks up names that are never answered. */
function askSilence(dns: DnsClient, who: Requester, count: number) {
  return Array.from({ length: count }, (_, n) => {
    const name = `${who.priority}-${n}.${who.team.replace('_', '-')}.test`;
    world.set(name, { behaviour: 'silent' });
    return dns.mx(name, over.signal, who);
  });
}

/** The names that the server was asked for, each once, of those that match. */
function askedAbout(part: string): string[] {
  return [...new Set(world.questions.map(({ name }) => name).filter((name) => name.includes(part)))];
}

/** Resolves when this many names without an answer were queried. */
async function until(count: number, part = 'team-'): Promise<void> {
  await world.until(() => askedAbout(part).length >= count);
}

/** Waits until all sent queries have arrived: a later one is answered. */
async function settled(): Promise<void> {
  await aClient().mx('absent.test', over.signal);
  await aClient().mx('absent.test', over.signal);
}

describe('a team whose names are not answered', () => {
  it('uses its own slots only: with 3,000 queries, another team is answered at once', async () => {
    const dns = aClient();
    void askSilence(dns, attacker, 3_000);
    await until(100);
    expect(await dns.mx('good.test', over.signal, victim)).toMatchObject(RECORDS);
    expect(await dns.addresses('mx.good.test', over.signal, victim)).toMatchObject({ kind: 'addresses' });
    expect(clock.monotonicMs()).toBe(0);
    expect(askedAbout('team-attacker')).toHaveLength(100);
  });

  it('has the same effect as twenty-five teams with ten calls each', async () => {
    const dns = aClient();
    for (let n = 0; n < 25; n += 1) {
      void askSilence(dns, requester(`team_${n}`), 10);
      await until(10 * (n + 1));
    }
    expect(await dns.mx('good.test', over.signal, victim)).toMatchObject(RECORDS);
    expect(clock.monotonicMs()).toBe(0);
  });

  it('leaves slots to teams that hold few, also when thirty teams send their maximum', async () => {
    const dns = aClient();
    for (let n = 0; n < 30; n += 1) {
      void askSilence(dns, requester(`team_${n}`), 200);
      await settled();
    }
    // Five teams fill the shared half; each of the others has four slots of the rest.
    expect(askedAbout('team-')).toHaveLength(5 * 100 + 25 * 4);
    expect(await dns.mx('good.test', over.signal, victim)).toMatchObject(RECORDS);
    expect(clock.monotonicMs()).toBe(0);
  });

  it('waits in turn when all slots are taken: none of fifty queries is sent before another team’s one', async () => {
    const dns = aClient({ maxInFlight: 4, maxInFlightPerTeam: 4 });
    for (const ally of ['team_1', 'team_2', 'team_3']) void askSilence(dns, requester(ally), 50);
    await until(4);
    const answer = dns.mx('good.test', over.signal, victim);
    await settled();
    expect(askedAbout('good.test')).toEqual([]);
    await outlast(TIMEOUT_MS);
    expect(await answer).toMatchObject(RECORDS);
  });

  it('loses only its own queries when it queues too many', async () => {
    const dns = aClient({ maxInFlightPerTeam: 2, maxQueuedPerTeam: 3 });
    const asked = askSilence(dns, attacker, 7);
    const refused = await Promise.all(asked.slice(5));
    expect(refused).toMatchObject([{ kind: 'error' }, { kind: 'error' }]);
    await until(2);
    expect(await dns.mx('good.test', over.signal, victim)).toMatchObject(RECORDS);
    expect(await dns.mx('good.test', over.signal, attacker)).toMatchObject({ kind: 'records', cached: true });
  });

  it('releases its slots after timeouts, aborts and answers', async () => {
    const dns = aClient({ maxInFlightPerTeam: 3 });
    const hasty = new AbortController();
    for (const name of ['one.test', 'two.test', 'three.test']) world.set(name, { behaviour: 'silent' });
    const gaveUp = dns.mx('one.test', hasty.signal, attacker);
    const silent = dns.mx('two.test', over.signal, attacker);
    await dns.mx('good.test', over.signal, attacker);
    hasty.abort();
    await Promise.all([gaveUp, outlast(TIMEOUT_MS), silent]);
    void askSilence(dns, attacker, 9);
    await until(3);
    await settled();
    expect(askedAbout('team-attacker')).toHaveLength(3);
  });
});

describe('a single call', () => {
  it('has its own slots when lists of the same team hold all of theirs', async () => {
    const dns = aClient();
    void askSilence(dns, requester('team_victim', 'list'), 3_000);
    await until(100);
    expect(await dns.mx('good.test', over.signal, victim)).toMatchObject(RECORDS);
  });

  it('is served before waiting rows of lists', async () => {
    const dns = aClient({ maxInFlight: 1 });
    void askSilence(dns, attacker, 1);
    const row = dns.mx('other.test', over.signal, requester('team_a', 'list'));
    const call = dns.mx('good.test', over.signal, victim);
    await until(1);
    await outlast(TIMEOUT_MS);
    expect(await Promise.all([row, call])).toMatchObject([RECORDS, RECORDS]);
    expect(world.questions.map(({ name }) => name).slice(-2)).toEqual(['good.test', 'other.test']);
  });

  it('does not starve the rows of a list', async () => {
    const dns = aClient({ maxInFlight: 1, maxQueuedPerTeam: 100 });
    const calls = Array.from({ length: 40 }, (_, n) => dns.mx(`call-${n}.test`, over.signal, attacker));
    const row = dns.mx('good.test', over.signal, requester('team_victim', 'list'));
    expect(await row).toMatchObject(RECORDS);
    await Promise.all(calls);
    expect(world.questions.findIndex(({ name }) => name === 'good.test')).toBeLessThan(5);
  });
});

describe('a name that two teams look up', () => {
  it('is queried at once for the second, while the first has all of its slots in use', async () => {
    const dns = aClient({ maxInFlightPerTeam: 2 });
    void askSilence(dns, attacker, 20);
    await until(2);
    void dns.mx('good.test', over.signal, attacker);
    expect(await dns.mx('good.test', over.signal, victim)).toMatchObject(RECORDS);
    expect(askedAbout('team-attacker')).toHaveLength(2);
  });

  it('is queried at once for a single call when a list of the same team has queued it', async () => {
    const dns = aClient({ maxInFlightPerTeam: 2 });
    const list = requester('team_victim', 'list');
    void askSilence(dns, list, 20);
    await until(2);
    void dns.mx('good.test', over.signal, list);
    expect(await dns.mx('good.test', over.signal, victim)).toMatchObject(RECORDS);
  });

  it('stays in the queue for the second when the first aborts', async () => {
    const dns = aClient({ maxInFlight: 1 });
    const hasty = new AbortController();
    void askSilence(dns, requester('team_third'), 1);
    const first = dns.mx('good.test', hasty.signal, attacker);
    const second = dns.mx('good.test', over.signal, victim);
    hasty.abort();
    expect(await first).toMatchObject({ kind: 'error' });
    await until(1);
    await outlast(TIMEOUT_MS);
    expect(await second).toMatchObject(RECORDS);
  });

  it('is queried for the second when the first has too much queued', async () => {
    const dns = aClient({ maxInFlightPerTeam: 1, maxQueuedPerTeam: 1 });
    void askSilence(dns, attacker, 2);
    const [first, second] = [attacker, victim].map((who) => dns.mx('good.test', over.signal, who));
    expect(await second).toMatchObject(RECORDS);
    expect(await first).toMatchObject({ kind: 'error' });
  });
});

describe('queries over TCP', () => {
  const cut = (name: string, behaviour: 'truncate' | 'truncate_silent') =>
    world.set(name, { mx: [[0, 'mx.good.test']], behaviour });

  it('are limited per team, and another team’s is sent while they are held', async () => {
    const dns = aClient({ maxTcp: 20 });
    const overTcp = () => world.questions.filter(({ transport }) => transport === 'tcp').length;
    for (let n = 0; n < 30; n += 1) {
      cut(`tcp-${n}.test`, 'truncate_silent');
      void dns.mx(`tcp-${n}.test`, over.signal, attacker);
    }
    cut('large.test', 'truncate');
    await until(30, 'tcp-');
    await world.until(() => overTcp() === 2);
    expect(await dns.mx('large.test', over.signal, victim)).toMatchObject(RECORDS);
    expect(overTcp()).toBe(3);
    expect(clock.monotonicMs()).toBe(0);
  });
});

/** Advances the clock by the timeout, attempt by attempt. */
async function outlast(timeoutMs: number): Promise<void> {
  for (let elapsed = 0; elapsed < timeoutMs; elapsed += timeoutMs / 4) {
    await settled();
    await clock.advance(timeoutMs / 4);
  }
}
