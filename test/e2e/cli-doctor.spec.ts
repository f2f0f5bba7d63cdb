import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { anApp, type TestApp } from '../support/app.js';
import { DoctorsWorld, SEEN_AS } from '../support/doctor.js';
import { anEmptyDatabase } from '../support/fresh-database.js';
import { RcptProcess } from '../support/rcpt-process.js';
import { hasRedis, RedisServer } from '../support/redis-server.js';

interface Line {
  check: string;
  level: string;
  found: string;
  why: string;
  what_to_do: string | null;
}

let world: DoctorsWorld;
let app: TestApp;
beforeAll(async () => {
  world = await DoctorsWorld.start();
  app = await anApp();
});
afterAll(async () => {
  await RcptProcess.endAll();
  await app.stop();
  await world.stop();
});

describe('rcpt doctor', () => {
  async function doctor(args: string[], env: Record<string, string> = {}) {
    const cli = RcptProcess.run(['cli.js', 'doctor', ...args], { ...world.env, ...app.shared, ...env });
    const code = await cli.exit();
    return { code, out: cli.stdout, err: cli.stderr };
  }

  it('says line by line what is well, why it matters and what to do, and exits with 0 when nothing fails', async () => {
    const { code, out, err } = await doctor(['--egress-ip', SEEN_AS]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^pass {5}port_25: Google, Microsoft, Yahoo greet us\n {9}why: /m);
    expect(out).toMatch(/^pass {5}database: PostgreSQL \d+\.\d+, up to date$/m);
    expect(out).toMatch(/^\d+ pass, \d+ warn, 0 fail, \d+ skipped\n$/m);
  });

  it('exits with 1 when a check fails, and says so in JSON', async () => {
    const { code, out } = await doctor(['--egress-ip', '203.0.113.99', '--json']);
    const report = JSON.parse(out) as { ok: boolean; checks: Line[] };
    expect([code, report.ok]).toEqual([1, false]);
    expect(report.checks.find(({ check }) => check === 'reverse_name')).toEqual({
      check: 'reverse_name',
      level: 'fail',
      found: '203.0.113.99 has no reverse name',
      why: expect.any(String),
      what_to_do: expect.stringContaining('to set the reverse name of 203.0.113.99 to verify.example.test'),
    });
  });

  it('offline looks at what is at home', async () => {
    const { code, out } = await doctor(['--offline', '--json']);
    const { checks } = JSON.parse(out) as { checks: Line[] };
    expect(code).toBe(0);
    expect(checks.filter(({ level }) => level !== 'skipped').map(({ check }) => check)).toEqual([
      'database',
      'database_clock',
      'queue',
      'payments',
    ]);
  });

  it('wants an address as the address', async () => {
    const { code, err } = await doctor(['--egress-ip', 'mail.example.test']);
    expect([code, err]).toEqual([64, 'rcpt: --egress-ip must be an address, such as 203.0.113.25\n']);
  });
});

describe('the doctor looks at the stores', () => {
  const at = (env: Record<string, string>) => world.examine({ ...app.shared, ...env }, { offline: true });

  it('a database that lacks migrations is a warning, and is left as it is', async () => {
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

  it('a database that is not there is a failure, which does not repeat the password', async () => {
    const examined = await at({ DATABASE_URL: 'postgresql://rcpt:hush-hush@127.0.0.1:9/rcpt' });
    expect(examined.database).toMatchObject({
      level: 'fail',
      found: 'the database cannot be used: ECONNREFUSED',
    });
    expect(examined).toMatchObject({ database_clock: { level: 'skipped' }, queue: { level: 'skipped' } });
    expect(JSON.stringify(examined)).not.toContain('hush-hush');
  });

  it('a clock that is not the database’s is a failure', async () => {
    world.clock.advance(120_000);
    expect((await at({})).database_clock).toMatchObject({
      level: 'fail',
      found: expect.stringMatching(/ahead of/),
    });
    world.clock.advance(-120_000);
    expect((await at({})).database_clock).toMatchObject({ level: 'pass' });
  });

  it('a Redis that is not there is a failure', async () => {
    expect((await at({ REDIS_URL: 'redis://:hush-hush@127.0.0.1:9/0' })).queue).toMatchObject({
      level: 'fail',
      found: 'Redis cannot be used: ECONNREFUSED',
    });
  });

  if (hasRedis) {
    it('a Redis that may throw rings away is a warning', async () => {
      const server = await RedisServer.onAFreePort();
      await server.start();
      expect((await at({ REDIS_URL: server.url })).queue).toMatchObject({ level: 'pass' });
      const redis = new Redis(server.url);
      await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
      redis.disconnect();
      expect((await at({ REDIS_URL: server.url })).queue).toMatchObject({
        level: 'warn',
        found: expect.stringMatching(/may throw rings away \(allkeys-lru\)/),
      });
      await server.kill();
    });
  }
});
