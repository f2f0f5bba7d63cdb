import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { AddressFactsService } from '../../../src/modules/verification/verification/facts/address-facts.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, jobOf, resultsOf, upkeepOf, workOn } from '../../support/app/bulk.js';
import { expectProblem } from '../../support/http/problems.js';
import { RawClient } from '../../support/http/raw-client.js';

const DAY_MS = 86_400_000;
const TABLES = ['bulk_rows', 'bulk_results', 'bulk_row_reasons', 'bulk_chunks', 'rechecks'];

describe('the end of a bulk job', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await anApp();
  });
  afterAll(() => app.stop());

  const query = <Row>(statement: string, values: unknown[] = []) =>
    app.service.app.get(DataSource).query<Row[]>(statement, values);

  const eventsOf = (teamId: string) =>
    query<{ type: string; data: Record<string, unknown> }>(
      `SELECT type, data FROM outbox WHERE team_id = $1 AND type LIKE 'bulk%' ORDER BY id`,
      [teamId],
    );

  /** The number of rows left of all lists. */
  const left = async () => {
    const counts = [];
    for (const table of TABLES) {
      const [row] = await query<{ n: number }>(`SELECT count(*)::integer AS n FROM ${table}`);
      counts.push(row?.n);
    }
    return counts;
  };

  it('is published once, with counts and links and no address', async () => {
    const { testKey, team } = await app.anAccount();
    const { id } = await aBulkJob(app, testKey, [
      'jane@example.com',
      'jane@example.com',
      'catch_all@example.com',
    ]);
    await workOn(app);
    await workOn(app);
    const events = await eventsOf(team.id);
    expect(events).toEqual([
      {
        type: 'bulk_job.completed',
        data: {
          job_id: id,
          mode: 'test',
          status: 'completed',
          failure: null,
          total: 3,
          empty: 0,
          unique: 2,
          processed: 3,
          by_status: { deliverable: 2, undeliverable: 0, risky: 1, unknown: 0 },
          by_reason: { accepted_email: 2, catch_all: 1 },
          links: { job: `/v1/bulk-jobs/${id}`, results: `/v1/bulk-jobs/${id}/results` },
        },
      },
    ]);
  });

  it('by cancel is published once for repeated calls, and keeps the results so far', async () => {
    const { testKey, team } = await app.anAccount();
    const { id } = await aBulkJob(app, testKey, ['jane@example.com']);
    const answers = await Promise.all([1, 2, 3].map(() => app.post(`/v1/bulk-jobs/${id}/cancel`, testKey)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await eventsOf(team.id)).map(({ type }) => type)).toEqual(['bulk_job.canceled']);
    expect(await resultsOf(app, testKey, id)).toMatchObject([{ email: 'jane@example.com', status: null }]);
  });

  it('is not changed by canceling an ended job', async () => {
    const { testKey, team } = await app.anAccount();
    const { id } = await aBulkJob(app, testKey, ['jane@example.com']);
    await workOn(app);
    const answer = await app.post(`/v1/bulk-jobs/${id}/cancel`, testKey);
    expect([answer.status, answer.body]).toMatchObject([200, { status: 'completed', processed: 1 }]);
    expect(await eventsOf(team.id)).toHaveLength(1);
  });

  it('by DELETE is 404 at once, and the next sweep deletes rows and results', async () => {
    const { testKey, team } = await app.anAccount();
    await query(`TRUNCATE ${TABLES.join()}`);
    const done = await aBulkJob(app, testKey, ['jane@example.com', 'joe@example.com']);
    await workOn(app);
    const open = await aBulkJob(app, testKey, ['jane@example.com']);
    for (const { id } of [done, open]) {
      expect((await app.delete(`/v1/bulk-jobs/${id}`, testKey)).status).toBe(204);
      expectProblem(await app.delete(`/v1/bulk-jobs/${id}`, testKey), 404, 'not_found');
      expectProblem(await app.get(`/v1/bulk-jobs/${id}`, testKey), 404, 'not_found');
    }
    expect((await app.get('/v1/bulk-jobs', testKey)).body).toMatchObject({ data: [] });
    expect(await upkeepOf(app).deleteDue()).toBe(2);
    expect(await left()).toEqual([0, 0, 0, 0, 0]);
    expect((await eventsOf(team.id)).map(({ type }) => type)).toEqual([
      'bulk_job.completed',
      'bulk_job.canceled',
    ]);
  });

  it('by DELETE releases what was reserved at once, and no row is verified after it', async () => {
    const { liveKey } = await app.anAccount('starter');
    const { id } = await aBulkJob(app, liveKey, ['no address', 'neither']);
    const reserved = async () =>
      ((await app.get('/v1/usage', liveKey)).body as { quota: { reserved: number } }).quota.reserved;
    expect(await reserved()).toBe(2);
    expect((await app.delete(`/v1/bulk-jobs/${id}`, liveKey)).status).toBe(204);
    expect(await reserved()).toBe(0);
    await workOn(app);
    const results = `SELECT FROM bulk_results
      WHERE substring(address_key FOR 8) = (SELECT int8send(list) FROM bulk_jobs WHERE id = $1)`;
    expect(await query(results, [id])).toHaveLength(0);
  });

  it('by DELETE deletes the facts of the job, but not newer ones', async () => {
    const { liveKey, team } = await app.anAccount();
    const { id } = await aBulkJob(app, liveKey, [
      'old@brought.rcpt-test.net',
      'new@brought.rcpt-test.net',
      'x',
    ]);
    await workOn(app);
    const addresses = app.service.app.get(AddressFactsService);
    const keep = (email: string, seconds: number) =>
      query(
        `INSERT INTO address_facts VALUES ($1, $2, '{}', now() + $3 * interval '1 second', now() + interval '1 day')`,
        [team.id, addresses.identify(email), seconds],
      );
    await keep('old@brought.rcpt-test.net', -60);
    await keep('new@brought.rcpt-test.net', 60);
    await keep('other@brought.rcpt-test.net', -60);
    await app.delete(`/v1/bulk-jobs/${id}`, liveKey);
    await upkeepOf(app).deleteDue();
    const facts = await query<{ address_hash: Buffer }>(
      'SELECT address_hash FROM address_facts WHERE team_id = $1',
      [team.id],
    );
    const hashes = facts.map(({ address_hash }) => address_hash.toString('hex')).sort();
    const kept = ['new@brought.rcpt-test.net', 'other@brought.rcpt-test.net'];
    expect(hashes).toEqual(kept.map((email) => addresses.identify(email).toString('hex')).sort());
  });

  it('is followed by deletion after the tier’s retention, or a day for test keys', async () => {
    const own = await anApp();
    try {
      const { testKey, liveKey } = await own.anAccount('starter');
      const test = await aBulkJob(own, testKey, ['jane@example.com']);
      const live = await aBulkJob(own, liveKey, ['no address']);
      await workOn(own);
      const { finished_at, expires_at } = await jobOf(own, liveKey, live.id);
      expect(Date.parse(expires_at ?? '') - Date.parse(finished_at ?? '')).toBe(14 * DAY_MS);
      expect(await upkeepOf(own).deleteDue()).toBe(0);
      own.clock.advance(DAY_MS);
      // Before the sweep.
      expectProblem(await own.get(`/v1/bulk-jobs/${test.id}/results`, testKey), 404, 'not_found');
      expect(await upkeepOf(own).deleteDue()).toBe(1);
      expect((await jobOf(own, liveKey, live.id)).status).toBe('completed');
      own.clock.advance(13 * DAY_MS);
      await upkeepOf(own).deleteDue();
      const rows = await own.service.app.get(DataSource).query<object[]>('SELECT FROM bulk_rows');
      expect(rows).toHaveLength(0);
    } finally {
      await own.stop();
    }
  });

  it('is followed by earlier deletion when the team has shortened its retention', async () => {
    const { liveKey } = await app.anAccount();
    const { id } = await aBulkJob(app, liveKey, ['no address']);
    await workOn(app);
    expect((await jobOf(app, liveKey, id)).status).toBe('completed');
    await app.request('patch', '/v1/team', liveKey).send({ retention_days: 0 });
    const listed = async () => ((await app.get('/v1/bulk-jobs', liveKey)).body as { data: object[] }).data;
    // It was charged, so it can be read for a day.
    app.clock.advance(DAY_MS - 60_000);
    expect((await app.get(`/v1/bulk-jobs/${id}/results`, liveKey)).body).toMatchObject({ data: [{}] });
    expect(await listed()).toHaveLength(1);
    await upkeepOf(app).deleteDue();
    app.clock.advance(60_000);
    // Before the sweep.
    expectProblem(await app.get(`/v1/bulk-jobs/${id}`, liveKey), 404, 'not_found');
    expect(await listed()).toHaveLength(0);
    await upkeepOf(app).deleteDue();
    expect(await query('SELECT FROM bulk_jobs WHERE id = $1', [id])).toHaveLength(0);
  });

  it('of a job under a test key happens once, and the job counts for a day', async () => {
    const own = await anApp();
    try {
      const { testKey } = await own.anAccount();
      const { id } = await aBulkJob(own, testKey, ['jane@example.com']);
      await workOn(own);
      expect((await own.delete(`/v1/bulk-jobs/${id}`, testKey)).status).toBe(204);
      expect(await upkeepOf(own).deleteDue()).toBe(1);
      own.clock.advance(6 * 60_000);
      expect(await upkeepOf(own).deleteDue()).toBe(0);
      const jobs = () => own.service.app.get(DataSource).query<object[]>('SELECT FROM bulk_jobs');
      expect(await jobs()).toHaveLength(1);
      own.clock.advance(DAY_MS);
      expect(await upkeepOf(own).deleteDue()).toBe(1);
      expect(await jobs()).toHaveLength(0);
    } finally {
      await own.stop();
    }
  });

  it('of a long list deletes no row within the request, and all of them in the next sweep', async () => {
    const { liveKey } = await app.anAccount();
    const { id } = await aBulkJob(app, liveKey, ['no address']);
    await workOn(app);
    await query(
      `INSERT INTO bulk_rows SELECT r.list, i, r.address_key, r.email FROM bulk_rows r JOIN bulk_jobs j USING (list),
         generate_series(1, 110000) AS i WHERE j.id = $1`,
      [id],
    );
    const list = await query('SELECT list FROM bulk_jobs WHERE id = $1', [id]);
    const left = () => query('SELECT FROM bulk_rows WHERE list = $1', [(list[0] as { list: string }).list]);
    expect((await app.delete(`/v1/bulk-jobs/${id}`, liveKey)).status).toBe(204);
    expectProblem(await app.get(`/v1/bulk-jobs/${id}`, liveKey), 404, 'not_found');
    expect(await left()).toHaveLength(110_001);
    await upkeepOf(app).deleteDue();
    expect(await left()).toHaveLength(0);
    expect(await query('SELECT FROM bulk_jobs WHERE id = $1', [id])).toHaveLength(0);
  });

  it('is part of the deletion of its team', async () => {
    const { liveKey, testKey } = await app.anAccount();
    const done = await aBulkJob(app, testKey, ['jane@example.com']);
    await workOn(app);
    const open = await aBulkJob(app, liveKey, ['no address']);
    expect((await app.delete('/v1/team', liveKey)).status).toBe(204);
    await app.dispatchEvents();
    const ids = [[done.id, open.id]];
    // They cost nothing more, also before the sweep.
    const states = await query('SELECT DISTINCT state FROM bulk_jobs WHERE id = ANY($1)', ids);
    expect(states).toEqual([{ state: 'erasing' }]);
    await upkeepOf(app).deleteDue();
    const rows = await query('SELECT FROM bulk_rows JOIN bulk_jobs USING (list) WHERE id = ANY($1)', ids);
    expect(rows).toHaveLength(0);
    expect(await query('SELECT FROM bulk_jobs WHERE id = $1', [open.id])).toHaveLength(0);
  });

  it('is followed by deletion also when another job cannot be deleted', async () => {
    const { testKey, liveKey } = await app.anAccount();
    const first = await aBulkJob(app, testKey, ['jane@example.com']);
    await workOn(app);
    const second = await aBulkJob(app, liveKey, ['no address']);
    await workOn(app);
    await query(`CREATE FUNCTION keep_rows() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE 'the rows cannot be deleted'; END $$`);
    await query(`CREATE TRIGGER keep_rows BEFORE DELETE ON bulk_rows FOR EACH ROW
      WHEN (OLD.email = 'jane@example.com') EXECUTE FUNCTION keep_rows()`);
    try {
      app.clock.advance(31 * DAY_MS);
      await expect(upkeepOf(app).deleteDue()).rejects.toThrow('the rows cannot be deleted');
    } finally {
      await query('DROP TRIGGER keep_rows ON bulk_rows');
    }
    const states = await query('SELECT id, state FROM bulk_jobs WHERE id = ANY($1)', [[first.id, second.id]]);
    expect(states).toEqual([{ id: first.id, state: 'erasing' }]);
  });

  it('includes interrupted uploads, also those of a process that died', async () => {
    const { testKey } = await app.anAccount();
    const client = await RawClient.connect(Number(new URL(app.url).port));
    const row = `"jane@example.com"\n`;
    await client.send(
      `POST /v1/verify/bulk HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${testKey}\r\n` +
        `Content-Type: application/x-ndjson\r\nContent-Length: 1000000\r\n\r\n${row.repeat(3_000)}`,
    );
    const receiving = () => query<{ list: string }>(`SELECT list FROM bulk_jobs WHERE state = 'receiving'`);
    while ((await receiving()).length === 0);
    client.close();
    while ((await receiving()).length > 0);
    await query(`INSERT INTO bulk_jobs (id, team_id, mode, state, refresh, total, empty, addresses, processed, verified, charged, by_reason, bounces,
        chunks_left, deferred_left, retention_days, created_at, touched_at)
      VALUES ('job_dead', 'team_dead', 'live', 'receiving', false, 0, 0, 0, 0, 0, 0, '{}', '{}', 0, 0, 1, now() - interval '15 min', now() - interval '15 min')`);
    await query(`INSERT INTO bulk_rows SELECT list, 0, '\\x00', 'x' FROM bulk_jobs WHERE id = 'job_dead'`);
    await upkeepOf(app).deleteDue();
    expect(await query(`SELECT FROM bulk_jobs WHERE id = 'job_dead'`)).toHaveLength(0);
    const [orphans] = await query<{ n: number }>(
      'SELECT count(*)::integer AS n FROM bulk_rows WHERE list NOT IN (SELECT list FROM bulk_jobs)',
    );
    expect(orphans?.n).toBe(0);
  });
});
