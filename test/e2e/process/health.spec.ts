import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { Lifecycle } from '../../../src/kernel/service-state/lifecycle.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aFreshDatabase, asAdministrator } from '../../support/database/fresh-database.js';
import { expectProblem } from '../../support/http/problems.js';
import { TcpRelay } from '../../support/database/tcp-relay.js';

let database: Awaited<ReturnType<typeof aFreshDatabase>>;
let relay: TcpRelay;
let app: TestApp;
let testKey: string;

beforeAll(async () => {
  database = await aFreshDatabase();
  const through = await TcpRelay.to(database.url);
  relay = through.relay;
  app = await anApp({ DATABASE_URL: through.url });
  ({ testKey } = await app.anAccount());
});
afterAll(async () => {
  await app.stop();
  await relay.close();
  await database.drop();
});

const sql = (statement: string) =>
  app.service.app.get(DataSource).query<Record<string, unknown>[]>(statement);

async function expectReady(): Promise<void> {
  const answer = await app.get('/readyz');
  expect(answer.body).toEqual({
    status: 'ok',
    checks: {
      database: 'ok',
      migrations: 'ok',
      queue: 'ok',
      mail_servers: 'ok',
      egress: 'ok',
      blocklists: 'ok',
      dns: 'ok',
      work: 'ok',
    },
    reasons: {},
    paused: false,
  });
  expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
}

async function expectFailing(part: string): Promise<void> {
  const answer = await app.get('/readyz');
  expect(expectProblem(answer, 503, 'unavailable')).toMatchObject({ failing: part });
  expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
}

const expectAlive = async () =>
  expect(await app.get('/livez')).toMatchObject({ status: 200, body: { status: 'ok' } });

describe('health', () => {
  it('needs no key', async () => {
    await expectAlive();
    await expectReady();
  });

  it('ignores parameters', async () => {
    expect((await app.get('/readyz?verbose')).status).toBe(200);
  });
});

it('successful probes and scrapes are logged at the level debug, failed ones at info', async () => {
  const levelsOf = (route: string) =>
    app
      .logged()
      .split('\n')
      .filter((line) => line.includes(`"route":"${route}"`))
      .map((line) => JSON.parse(line) as { level: string; status: number });
  const logged = async (route: string, status: number) => {
    expect((await app.get(route)).status).toBe(status);
    // The line is written when the connection has finished, which may be after the response arrived.
    for (;;) {
      const last = levelsOf(route).findLast((line) => line.status === status);
      if (last !== undefined) return last.level;
      await setImmediate();
    }
  };
  for (const route of ['/livez', '/readyz', '/metrics']) expect(await logged(route, 200)).toBe('debug');
  await relay.close();
  expect(await logged('/readyz', 503)).toBe('info');
  await relay.open();
});

describe('a missing migration', () => {
  it('is 503 until it has run', async () => {
    await sql('CREATE TABLE set_aside AS SELECT * FROM migrations');
    await sql('DELETE FROM migrations');
    await expectFailing('migrations');
    await expectAlive();
    await sql('INSERT INTO migrations SELECT * FROM set_aside');
    await expectReady();
  });

  it('is 503 without a migrations table, and none is created', async () => {
    await sql('ALTER TABLE migrations RENAME TO elsewhere');
    await expectFailing('migrations');
    await expectFailing('migrations');
    await sql('ALTER TABLE elsewhere RENAME TO migrations');
    await expectReady();
  });
});

describe('a database whose disk is full', () => {
  const RAISE = `BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END`;
  const FULL = 'The database cannot write: its disk is full.';

  it('is 503 with the cause, also in the response and the log of the write, until it can write again', async () => {
    const { liveKey } = await app.anAccount();
    await sql(`CREATE FUNCTION full_row() RETURNS trigger LANGUAGE plpgsql AS $$${RAISE}$$`);
    await sql(`CREATE FUNCTION full_file() RETURNS event_trigger LANGUAGE plpgsql AS $$${RAISE}$$`);
    await sql('CREATE TRIGGER full_row BEFORE INSERT ON blocklist_entries EXECUTE FUNCTION full_row()');
    // New files, as the health check writes one.
    await asAdministrator(
      database.url,
      'CREATE EVENT TRIGGER full_file ON ddl_command_start EXECUTE FUNCTION full_file()',
    );
    await expectReady();

    const write = () => app.post('/v1/blocklist', liveKey).send({ domain: 'full.example' });
    expect(expectProblem(await write(), 503, 'unavailable')).toMatchObject({ detail: FULL });
    const lines = app
      .logged()
      .split('\n')
      .filter((line) => line.includes('database cannot write'));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 'error', err: { name: 'QueryFailedError', code: '53100', condition: 'disk full' } },
    ]);
    expect(lines.join()).not.toContain('full.example');

    for (let check = 0; check < 2; check++) {
      const answer = await app.get('/readyz');
      expect(expectProblem(answer, 503, 'unavailable')).toMatchObject({ failing: 'database', detail: FULL });
    }
    await expectAlive();

    await asAdministrator(database.url, 'DROP EVENT TRIGGER full_file');
    await sql('DROP FUNCTION full_row CASCADE');
    await expectReady();
    expect((await write()).status).toBe(201);
  });
});

describe('an unavailable database', () => {
  afterEach(() => relay.open());

  it('is 503 at once when it refuses connections, and ready again when it is back', async () => {
    await relay.close();
    await expectFailing('database');
    await expectAlive();
    await relay.open();
    await expectReady();
  });

  it('is 503 within a bounded time when it does not answer', async () => {
    relay.stall();
    await expectFailing('database');
    await expectAlive();
    // The stalled connections would be waited for.
    relay.cut();
  });

  it('makes a key 503 and not 401', async () => {
    await relay.close();
    const answer = await app.get('/v1/verify?email=jane@example.com', testKey);
    expectProblem(answer, 503, 'unavailable');
    expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    await relay.open();
    expect((await app.get('/v1/verify?email=jane@example.com', testKey)).status).toBe(200);
  });
});

it('an unavailable Redis is reported as degraded with 200: each process limits rates by itself', async () => {
  const bereft = await anApp({ REDIS_URL: 'redis://127.0.0.1:1' });
  expect(await bereft.get('/readyz')).toMatchObject({
    status: 200,
    body: { status: 'degraded', checks: { redis: 'degraded', database: 'ok' } },
  });
  const told = bereft
    .logged()
    .split('\n')
    .filter((line) => line.includes('Redis is not available'));
  expect(told.length).toBeGreaterThan(0);
  for (const line of told)
    expect(JSON.parse(line)).toMatchObject({ code: 'ECONNREFUSED', host: '127.0.0.1:1' });
  await bereft.stop();
});

describe('the documentation', () => {
  it('is served as JSON and as a page, without a key', async () => {
    const document = await app.get('/openapi.json');
    expect([document.status, document.type]).toEqual([200, 'application/json']);
    expect(document.body).toMatchObject({ openapi: '3.1.0', info: { title: 'Rcpt' } });
    for (const path of ['/docs', '/docs/', '/docs/errors']) {
      const page = await app.get(path);
      expect([path, page.status, page.type]).toEqual([path, 200, 'text/html']);
      expect(page.text).toContain('<title>Rcpt');
    }
  });

  it('contains its own scripts and styles: a page loads nothing from elsewhere', async () => {
    const { text } = await app.get('/docs');
    const needed = [...text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, url]) => url as string);
    expect(needed.length).toBeGreaterThan(0);
    for (const url of needed) {
      expect(url).not.toMatch(/^(https?:)?\/\//);
      expect([url, (await app.get(new URL(url, 'http://x/docs').pathname)).status]).toEqual([url, 200]);
    }
  });
});

it('a draining process is 503 for health, alive, and still answers', async () => {
  const { testKey } = await app.anAccount();
  app.service.app.get(Lifecycle).drain();
  await expectFailing('process');
  await expectAlive();
  expect((await app.get('/v1/verify?email=jane@example.com', testKey)).status).toBe(200);
});
