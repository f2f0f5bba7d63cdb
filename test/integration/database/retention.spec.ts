import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { SharedState } from '../../../src/engine/limits/shared-state.js';
import { PostgresUnitOfWork } from '../../../src/platform/database/transactions/postgres-unit-of-work.js';
import { purge, PURGE_BATCH } from '../../../src/platform/database/transactions/purge.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { grow, GROWING_TABLES, growTeam, sweep, sweepAll } from '../../support/database/growing-tables.js';
import { expectProblem } from '../../support/http/problems.js';

/** More than two batches. */
const ROWS = 2 * PURGE_BATCH + 2_000;
const ERASURE = 'delete rows of deleted subjects';
const OF_A_TEAM = ['failed_requests', 'address_facts', 'rechecks', 'idempotency_keys'];

describe('data that grows', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await anApp({ AUDIT_RETENTION_DAYS: '400' });
    await sql(`
      CREATE FUNCTION refuse_large_delete() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF (SELECT count(*) FROM deleted) > ${PURGE_BATCH} THEN
            RAISE EXCEPTION 'one statement deletes % rows of %', (SELECT count(*) FROM deleted), TG_TABLE_NAME;
          END IF;
          RETURN NULL;
        END $$`);
    for (const { table } of GROWING_TABLES)
      await sql(`CREATE TRIGGER refuse_large_delete AFTER DELETE ON ${table}
        REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION refuse_large_delete()`);
  });
  afterAll(() => app.stop());

  const sql = <T>(query: string, values: unknown[] = []) =>
    app.service.app.get(DataSource).query<T[]>(query, values);
  const count = async (table: string, where = 'true', values: unknown[] = []) => {
    const [row] = await sql<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE ${where}`, values);
    return row?.n ?? 0;
  };
  /** Rows visited by statements, by index or scan. */
  const visited = async (table: string) => {
    // Each connection of the pool reports its own statistics.
    await Promise.all(
      Array.from({ length: 10 }, () => sql('SELECT pg_stat_force_next_flush(), pg_sleep(0.01)')),
    );
    const [row] = await sql<{ n: number }>(
      `SELECT (coalesce(idx_tup_fetch, 0) + seq_tup_read)::int AS n FROM pg_stat_user_tables WHERE relname = $1`,
      [table],
    );
    return row?.n ?? 0;
  };

  it.each(GROWING_TABLES)(
    'in $table is deleted after $keptDays days, in statements of at most one batch',
    async (growing) => {
      const before = await count(growing.table);
      await grow(app, growing, ROWS, growing.keptDays + 1);
      await grow(app, growing, 50, growing.keptDays - 1);
      expect(await sweepAll(app, growing.sweep)).toBeGreaterThanOrEqual(ROWS);
      expect(await count(growing.table)).toBe(before + 50);
    },
  );

  it('in the audit log is deleted by its own retention only', async () => {
    const old = GROWING_TABLES.find(({ table }) => table === 'audit_log');
    if (old !== undefined) await grow(app, old, 1, 401);
    expect(await sweep(app, 'delete old audit entries')).toBe(1);
    const deletions = await Promise.allSettled(
      Array.from({ length: 10 }, () => sql('DELETE FROM audit_log')),
    );
    expect(new Set(deletions.map((end) => end.status === 'rejected' && String(end.reason)))).toEqual(
      new Set(['QueryFailedError: the audit log is append-only']),
    );
  });

  it.each(GROWING_TABLES)('in $table is not read when no row has expired', async (growing) => {
    const { table } = growing;
    // The exchange of state between processes reads new rows of `smtp_shared_state`, each 1.5 seconds.
    await app.service.app.get(SharedState, { strict: false }).close();
    await sql(
      `ALTER TABLE ${table} DISABLE TRIGGER USER; DELETE FROM ${table}; ALTER TABLE ${table} ENABLE TRIGGER USER`,
    );
    await grow(app, growing, 5_000, 0);
    await sql(`ANALYZE ${table}`);
    const before = await visited(table);
    for (let run = 0; run < 3; run++) expect(await sweep(app, growing.sweep)).toBe(0);
    expect((await visited(table)) - before).toBeLessThan(100);
    // Whole rows, because an index alone would be read without them once autovacuum has visited their pages.
    await sql(`SELECT count(read) FROM ${table} AS read`);
    expect((await visited(table)) - before).toBeGreaterThanOrEqual(5_000);
  });

  it('of a team is deleted in batches with the team, and hidden at once', async () => {
    const [gone, other] = [await app.anAccount(), await app.anAccount()];
    const made = await app
      .post('/v1/webhooks', gone.liveKey)
      .send({ url: 'https://hooks.example.org/', events: ['key.created'] });
    expect(made.status).toBe(201);
    const webhook = (made.body as { id: string }).id;
    await growTeam(app, gone.team.id, webhook, ROWS);
    await growTeam(app, other.team.id, 'whk_other', 5);
    expect((await app.delete('/v1/team', gone.liveKey)).status).toBe(204);
    app.clock.advance(5_000);
    expectProblem(await app.get('/v1/team', gone.liveKey), 401, 'invalid_credential');
    expect(await count('webhooks', 'id = $1', [webhook])).toBe(0);
    expect(await sweepAll(app, ERASURE)).toBe(5 * ROWS);
    await sql('UPDATE erasures SET due_at = now()');
    await sweep(app, ERASURE);
    for (const table of OF_A_TEAM) {
      expect([table, await count(table, 'team_id = $1', [gone.team.id])]).toEqual([table, 0]);
      expect([table, await count(table, 'team_id = $1', [other.team.id])]).toEqual([table, 5]);
    }
    expect(await count('webhook_deliveries', 'webhook_id = $1', [webhook])).toBe(0);
    expect(await count('webhook_deliveries', `webhook_id = 'whk_other'`)).toBe(5);
  });

  it('of a webhook is deleted in batches with the webhook', async () => {
    const { liveKey } = await app.anAccount();
    const made = await app
      .post('/v1/webhooks', liveKey)
      .send({ url: 'https://hooks.example.org/', events: ['key.created'] });
    const webhook = (made.body as { id: string }).id;
    await growTeam(app, 'team_none', webhook, ROWS);
    expect((await app.delete(`/v1/webhooks/${webhook}`, liveKey)).status).toBe(204);
    await sweep(app, ERASURE);
    expect(await count('webhook_deliveries', 'webhook_id = $1', [webhook])).toBe(0);
  });

  it('of a team written by operations that started before its deletion is deleted too, for an hour', async () => {
    const { team, liveKey } = await app.anAccount();
    expect((await app.delete('/v1/team', liveKey)).status).toBe(204);
    await sweep(app, ERASURE);
    await growTeam(app, team.id, 'whk_none', 1);
    await sql('UPDATE erasures SET due_at = now()');
    await sweep(app, ERASURE);
    expect(await count('address_facts', 'team_id = $1', [team.id])).toBe(0);
    await sql(`UPDATE erasures SET due_at = now(), deleted_at = now() - interval '61 minutes'`);
    await sweep(app, ERASURE);
    expect(await count('erasures', 'subject = $1', [team.id])).toBe(0);
  });
});

describe('a purge', () => {
  let app: TestApp;
  let work: PostgresUnitOfWork;
  beforeAll(async () => {
    app = await anApp();
    work = app.service.app.get(PostgresUnitOfWork);
    await work.manager.query('CREATE TABLE things (n integer PRIMARY KEY, old boolean NOT NULL)');
  });
  afterAll(() => app.stop());

  const fill = (rows: number) =>
    work.manager.query(
      `TRUNCATE things; INSERT INTO things SELECT n, n % 2 = 0 FROM generate_series(1, ${rows}) AS n`,
    );
  const left = async () =>
    (await work.manager.query<{ n: number }[]>('SELECT count(*)::int AS n FROM things'))[0]?.n;
  const old = { table: 'things', where: 'old', orderBy: 'n' };

  it('ends at the limit of a run, and the next one continues', async () => {
    await fill(4 * PURGE_BATCH);
    expect(await purge(work, old, { maxRows: PURGE_BATCH })).toBe(PURGE_BATCH);
    expect(await purge(work, old)).toBe(PURGE_BATCH);
    expect(await purge(work, old)).toBe(0);
    expect(await left()).toBe(2 * PURGE_BATCH);
  });

  it('skips locked rows, which the next run deletes', async () => {
    await fill(10);
    await app.service.app.get(DataSource).transaction(async (manager) => {
      await manager.query('SELECT FROM things WHERE n = 4 FOR UPDATE');
      expect(await purge(work, old)).toBe(4);
    });
    expect(await purge(work, old)).toBe(1);
  });

  it('is refused inside a unit of work, which would hold a second connection', async () => {
    await fill(10);
    await expect(work.run(() => purge(work, old))).rejects.toThrow('second connection');
    expect(await left()).toBe(10);
  });
});
