import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PassThrough, Readable } from 'node:stream';
import { DataSource } from 'typeorm';
import type { BulkJobResponse } from '../../../src/modules/lists/bulk/jobs/bulk-job.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob } from '../../support/app/bulk.js';
import { aFreshDatabase } from '../../support/database/fresh-database.js';
import { rowsOf } from '../../support/app/joins.js';
import { expectProblem } from '../../support/http/problems.js';
import { scrape } from '../../support/app/samples.js';
import { TcpRelay } from '../../support/database/tcp-relay.js';
import { UdpSink } from '../../support/dns/udp-sink.js';

const POOL_SIZE = 10;
const WAITING = 'rcpt_db_pool_connections{state="waiting"}';

let database: Awaited<ReturnType<typeof aFreshDatabase>>;
let relay: TcpRelay;
let app: TestApp;
beforeAll(async () => {
  database = await aFreshDatabase();
  const through = await TcpRelay.to(database.url);
  relay = through.relay;
  app = await anApp({ DATABASE_URL: through.url });
});
afterAll(async () => {
  await app.stop();
  await relay.close();
  await database.drop();
});

describe('a service without free database connections', () => {
  it('answers 503 with Retry-After within a bounded time, reports it in /readyz, and recovers', async () => {
    const { liveKey, testKey } = await app.anAccount();
    const source = app.service.app.get(DataSource);
    const runners = Array.from({ length: POOL_SIZE }, () => source.createQueryRunner());
    await Promise.all(runners.map((runner) => runner.connect()));
    const [read, write, verify, ready] = await Promise.all([
      app.get('/v1/keys', liveKey),
      app.post('/v1/blocklist', liveKey).send({ domain: 'example.com' }),
      app.get('/v1/verify?email=jane@example.com', testKey),
      app.get('/readyz'),
    ]);
    for (const answer of [read, write, verify, ready]) {
      expectProblem(answer, 503, 'unavailable');
      expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    }
    expect(ready.body).toMatchObject({ failing: 'database' });
    expect((await app.get('/livez')).status).toBe(200);

    await Promise.all(runners.map((runner) => runner.release()));
    expect((await app.get('/readyz')).status).toBe(200);
    const again = await app.post('/v1/blocklist', liveKey).send({ domain: 'example.com' });
    expect(again.status).toBe(201);
  });
});

describe('a slow database', () => {
  afterEach(() => relay.slow(0));

  it('is waited for: calls succeed, and the process is ready', async () => {
    const { liveKey } = await app.anAccount('starter');
    relay.slow(30);
    const [verdict, write, read, ready] = await Promise.all([
      app.get('/v1/verify?email=no-address', liveKey),
      app.post('/v1/blocklist', liveKey).send({ domain: 'example.com' }),
      app.get('/v1/usage', liveKey),
      app.get('/readyz'),
    ]);
    expect([verdict, write, read, ready].map(({ status }) => status)).toEqual([200, 201, 200, 200]);
  });

  it('beyond its capacity causes 503 with Retry-After within a bounded time, until it recovers', async () => {
    const { liveKey, testKey } = await app.anAccount();
    await app.get('/v1/verify?email=jane@example.com', testKey);
    await app.get('/v1/keys', liveKey);
    relay.slow(1_600);
    const answering = Promise.all([
      app.get('/v1/verify?email=jane@example.com', testKey),
      ...Array.from({ length: 6 * POOL_SIZE }, () => app.get('/v1/keys', liveKey)),
    ]);
    expectProblem(await app.get('/readyz'), 503, 'unavailable');
    const answers = await answering;
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectProblem(answer, 503, 'unavailable');
      expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    }
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]));

    relay.slow(0);
    while ((await app.get('/readyz')).status !== 200);
    const after = await Promise.all(
      Array.from({ length: 2 * POOL_SIZE }, () => app.get('/v1/keys', liveKey)),
    );
    expect(new Set(after.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await scrape(app)).get(WAITING)).toBe(0);
  });
});

describe('a queue that is full of lists', () => {
  const ROOM = { ofATeam: 5_000_000, ofAll: 10_000_000 };
  const submit = (key: string) => app.post('/v1/verify/bulk', key).send({ emails: ['no address'] });
  const fill = ({ id }: BulkJobResponse, rows: number) =>
    rowsOf(app, 'UPDATE bulk_jobs SET total = $2 WHERE id = $1', [id, rows]);

  it('refuses more lists of a team that has half of it, and accepts those of others', async () => {
    const [filler, other] = [await app.anAccount(), await app.anAccount()];
    const job = await aBulkJob(app, filler.liveKey, ['no address']);
    await fill(job, ROOM.ofATeam - 1);
    await aBulkJob(app, filler.liveKey, ['no address']);
    const refused = expectProblem(await submit(filler.liveKey), 503, 'queue_full');
    expect(refused.detail).toMatch(/later/);
    expectProblem(await submit(filler.testKey), 503, 'queue_full');
    expect((await submit(other.liveKey)).status).toBe(202);
    await fill(job, 1);
  });

  it('answers 503 with Retry-After, stores and charges nothing, verifies single addresses, and recovers', async () => {
    const [filler, late] = [await app.anAccount(), await app.anAccount('starter')];
    const job = await aBulkJob(app, filler.liveKey, ['no address']);
    await fill(job, ROOM.ofAll);
    const again = () => submit(late.liveKey).set('Idempotency-Key', 'the-list');
    const refused = await again();
    expectProblem(refused, 503, 'queue_full');
    expect(refused.headers['retry-after']).toBe('60');
    const unread = await app.post('/v1/verify/bulk', late.liveKey).send({ emails: [] });
    expectProblem(unread, 503, 'queue_full');
    expect((await app.get('/v1/verify?email=no-address', late.liveKey)).status).toBe(200);
    expect((await app.get('/readyz')).status).toBe(200);
    expect((await app.get('/v1/bulk-jobs', late.liveKey)).body).toMatchObject({ data: [] });
    expect((await app.get('/v1/usage', late.liveKey)).body).toMatchObject({
      quota: { used: 1, reserved: 0 },
    });
    await fill(job, 1);
    expect((await again()).status).toBe(202);
    expect((await app.get('/v1/usage', late.liveKey)).body).toMatchObject({
      quota: { used: 1, reserved: 1 },
    });
  });

  it('refuses a list that was uploaded while it filled, and leaves nothing of it', async () => {
    const [filler, slow] = [await app.anAccount(), await app.anAccount('starter')];
    const job = await aBulkJob(app, filler.liveKey, ['no address']);
    const body = new PassThrough();
    const answering = fetch(`${app.url}/v1/verify/bulk`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${slow.liveKey}`, 'Content-Type': 'application/x-ndjson' },
      body: Readable.toWeb(body),
      duplex: 'half',
    });
    body.write('"no address"\n');
    const receiving = () => rowsOf(app, `SELECT FROM bulk_jobs WHERE state = 'receiving'`);
    while ((await receiving()).length === 0);
    await fill(job, ROOM.ofAll);
    body.end('"none either"\n');
    const answer = await answering;
    const headers = Object.fromEntries(answer.headers);
    expectProblem({ status: answer.status, headers, body: await answer.text() }, 503, 'queue_full');
    expect(headers['retry-after']).toBe('60');
    // The hidden job counts what was stored, for the limit of the day.
    for (const left of [
      `bulk_jobs WHERE state <> 'erasing' AND`,
      'bulk_rows JOIN bulk_jobs USING (list) WHERE',
    ])
      expect(await rowsOf(app, `SELECT FROM ${left} team_id = $1`, [slow.team.id])).toEqual([]);
    await fill(job, 1);
  });
});

describe('a name server that never answers', () => {
  it('is unknown: dns_error after the DNS timeout, timeout when the caller’s time is shorter', async () => {
    const hole = await UdpSink.open();
    const ask = async (DNS_TIMEOUT_MS: string) => {
      const app = await anApp({ DNS_SERVERS: hole.server, DNS_TIMEOUT_MS });
      const { liveKey } = await app.anAccount();
      const answer = await app.get('/v1/verify?email=jane@gmail.com&timeout=1', liveKey);
      await app.stop();
      return answer.body as object;
    };
    const [short, long] = await Promise.all([ask('200'), ask('60000')]);
    expect(hole.received).toBeGreaterThan(0);
    hole.close();
    expect(short).toMatchObject({ status: 'unknown', reason: 'dns_error' });
    expect(long).toMatchObject({ status: 'unknown', reason: 'timeout' });
  });
});
