import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { anApp, type TestApp } from '../../support/app/app.js';
import { DoctorEnvironment, SEEN_AS } from '../../support/app/doctor.js';
import { aFreshDatabase, anEmptyDatabase } from '../../support/database/fresh-database.js';
import { waitingRequests } from '../../support/database/waiting-requests.js';
import { hasRedis, RedisServer } from '../../support/queue/redis-server.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';

interface Line {
  check: string;
  level: string;
  found: string;
  why: string;
  what_to_do: string | null;
}

let world: DoctorEnvironment;
let app: TestApp;
beforeAll(async () => {
  world = await DoctorEnvironment.start();
  app = await anApp();
});
afterAll(async () => {
  await app.stop();
  await world.stop();
});

describe('rcpt doctor', () => {
  const env = () => ({ ...world.env, ...app.shared });
  const doctor = (...args: string[]) => runRcpt(['doctor', ...args], env());

  it('prints result, reason and remedy per check, and exits with 0 when nothing fails', async () => {
    const { code, out, err } = await doctor('--egress-ip', SEEN_AS);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^pass {5}port_25: Google, Microsoft, Yahoo greet us\n {9}why: /m);
    expect(out).toMatch(/^pass {5}database: PostgreSQL \d+\.\d+, up to date$/m);
    expect(out).toMatch(/^\d+ pass, \d+ warn, 0 fail, \d+ skipped\n$/m);
  });

  it('exits with 1 when a check fails, also with --json', async () => {
    const { code, out } = await doctor('--egress-ip', '203.0.113.99', '--json');
    const report = JSON.parse(out) as { ok: boolean; checks: Line[] };
    expect([code, report.ok]).toEqual([1, false]);
    expect(report.checks.find(({ check }) => check === 'reverse_name')).toEqual({
      check: 'reverse_name',
      level: 'fail',
      egress: null,
      found: '203.0.113.99 has no reverse name',
      why: expect.any(String),
      what_to_do: expect.stringContaining('to set the reverse name of 203.0.113.99 to verify.example.test'),
      findings: [{ code: 'reverse_missing', params: { address: '203.0.113.99' } }],
      remedy: { code: 'set_reverse', params: { address: '203.0.113.99', name: 'verify.example.test' } },
    });
  });

  it('exits with 3 when no check fails and one could not be run', async () => {
    world.dns.set('2.0.0.127.zen.spamhaus.org', null);
    const { code, out } = await doctor('--egress-ip', SEEN_AS);
    world.dns.set('2.0.0.127.zen.spamhaus.org', { a: ['127.0.0.2'] });
    expect([code, out.match(/, (\d+ fail, \d+ skipped)\n$/)?.[1]]).toEqual([3, '0 fail, 1 skipped']);
  });

  it('prints failures first, and the checks that one reason skips in one line', async () => {
    const failing = await doctor('--egress-ip', '203.0.113.99');
    expect(failing.out).toMatch(/^fail {5}/);
    const { out } = await doctor('--offline');
    expect(out.match(/offline: --offline was given/g)).toHaveLength(1);
    expect(out).toMatch(/^skipped {2}\d+ checks: offline: --offline was given\n {9}they are: .*port_25/m);
  });

  it('--offline runs the local checks', async () => {
    const { code, out } = await doctor('--offline', '--json');
    const { checks } = JSON.parse(out) as { checks: Line[] };
    expect(code).toBe(0);
    expect(checks.filter(({ level }) => level !== 'skipped').map(({ check }) => check)).toEqual([
      'database',
      'database_clock',
      'queue',
      'sessions',
      'payments',
    ]);
  });

  it('requires an IP address for --egress-ip', async () => {
    const { code, err } = await doctor('--egress-ip', 'mail.example.test');
    expect([code, err]).toEqual([64, 'rcpt: --egress-ip must be an address, such as 203.0.113.25\n']);
  });
});

describe('the doctor’s checks of the stores', () => {
  const at = (env: Record<string, string>) => world.examine({ ...app.shared, ...env }, { offline: true });

  it('warn about missing migrations, and do not run them', async () => {
    const database = await anEmptyDatabase();
    const looked = [await at({ DATABASE_URL: database.url }), await at({ DATABASE_URL: database.url })];
    for (const { database: found } of looked)
      expect(found).toMatchObject({
        level: 'warn',
        found: expect.stringMatching(/migrations are missing/),
        whatToDo: expect.stringMatching(/rcpt migrate/),
      });
    await database.drop();
  });

  it('fail when the database is unreachable, without printing the password', async () => {
    const examined = await at({ DATABASE_URL: 'postgresql://rcpt:hush-hush@127.0.0.1:9/rcpt' });
    expect(examined.database).toMatchObject({
      level: 'fail',
      found: 'the database cannot be used: ECONNREFUSED',
    });
    expect(examined).toMatchObject({
      database_clock: { level: 'skipped', found: 'the database does not respond' },
      queue: { level: 'skipped' },
    });
    expect(JSON.stringify(examined)).not.toContain('hush-hush');
  });

  it.each([
    [0, 'pass', /agrees with the database$/],
    [3_000, 'warn', /(2\.9|3\.\d) s ahead of the database$/],
    [-3_000, 'warn', /(2\.9|3\.\d) s behind the database$/],
    [90_000, 'fail', /(89|90|91) s ahead of the database$/],
  ])('report a clock that is %i ms off that of the database', async (ms, level, says) => {
    world.clock.advance(ms);
    const { database_clock: found } = await at({});
    world.clock.advance(-ms);
    expect(found).toMatchObject({ level, found: expect.stringMatching(says) });
  });

  it('say which limit requests wait for, without the name of an unknown provider', async () => {
    expect((await at({})).sessions).toMatchObject({
      level: 'pass',
      found: 'no request waits for a session with a mail provider',
    });
    const database = await aFreshDatabase();
    await waitingRequests(database.url, 'google', 7, 'provider');
    await waitingRequests(database.url, 'customer.example', 3, 'processes');
    const { sessions } = await at({ DATABASE_URL: database.url });
    expect(sessions).toMatchObject({
      level: 'pass',
      found:
        '7 wait for google through direct: all sessions that the provider allows are in use; ' +
        '3 wait for another provider through direct: the other processes have the remaining sessions of the provider',
    });
    await database.drop();
  });

  it('fail when Redis is unreachable', async () => {
    expect((await at({ REDIS_URL: 'redis://:hush-hush@127.0.0.1:9/0' })).queue).toMatchObject({
      level: 'fail',
      found: 'Redis at 127.0.0.1:9 cannot be used: ECONNREFUSED',
    });
  });

  if (hasRedis) {
    it('warn about a Redis that may evict jobs', async () => {
      const server = await RedisServer.onAFreePort();
      await server.start();
      expect((await at({ REDIS_URL: server.url })).queue).toMatchObject({ level: 'pass' });
      const redis = new Redis(server.url);
      await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
      redis.disconnect();
      expect((await at({ REDIS_URL: server.url })).queue).toMatchObject({
        level: 'warn',
        found: expect.stringMatching(/may evict jobs \(allkeys-lru\)/),
      });
      await server.kill();
    });
  }
});
