import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ClientBase } from 'pg';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { createDataSource } from '../../../src/platform/database/data-source.js';
import { isMigrated, migrate } from '../../../src/platform/database/migrate.js';
import { MIGRATIONS } from '../../../src/platform/database/migrations.js';
import { SCHEMAS } from '../../../src/modules/schema.js';
import { anEmptyDatabase } from '../../support/database/fresh-database.js';

class SlowMigration implements MigrationInterface {
  readonly name = 'Slow9999999999999';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE IF NOT EXISTS slow (run int)');
    await runner.query('INSERT INTO slow SELECT 1 FROM pg_sleep(2)');
  }

  async down(): Promise<void> {}
}

describe('the migrations', () => {
  let database: Awaited<ReturnType<typeof anEmptyDatabase>>;
  let pools: DataSource[];

  beforeEach(async () => {
    database = await anEmptyDatabase();
    pools = await Promise.all([aPool(), aPool()]);
  });

  afterEach(async () => {
    await Promise.all(pools.map((pool) => pool.destroy()));
    await database.drop();
  });

  const aPool = () => createDataSource(database.url, SCHEMAS, 3).initialize();
  /** A pool with a statement timeout of 0.5 s and an idle timeout of 1 s; one migration takes 2 s. */
  async function anImpatientPool(): Promise<DataSource> {
    const pool = createDataSource(database.url, SCHEMAS, 3, 1_000);
    const onConnect = (client: ClientBase) => client.query('SET statement_timeout = 500');
    const extra = { ...(pool.options.extra as object), onConnect };
    return pool.setOptions({ extra, migrations: [...MIGRATIONS, SlowMigration] }).initialize();
  }

  const first = () => pools[0] as DataSource;

  async function tables(): Promise<string[]> {
    const rows = await first().query<{ name: string }[]>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  }

  /** Every column, index and constraint from the catalog. */
  async function shape(): Promise<unknown> {
    return first().query(`
      SELECT table_name || '.' || column_name AS what, data_type || ' ' || is_nullable AS how
        FROM information_schema.columns WHERE table_schema = 'public'
      UNION ALL SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
      UNION ALL SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
                 WHERE connamespace = 'public'::regnamespace
      ORDER BY 1, 2`);
  }

  it('bring an empty database up to date', async () => {
    expect(await isMigrated(first())).toBe(false);
    await migrate(first());
    expect(await isMigrated(first())).toBe(true);
    const mapped = SCHEMAS.map(({ options }) => options.tableName);
    expect(await tables()).toEqual(expect.arrayContaining(mapped));
  });

  it('run once when many processes start together, while others check them', async () => {
    await Promise.all([...pools, ...pools].flatMap((pool) => [isMigrated(pool), migrate(pool)]));
    const rows = await first().query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id');
    expect(rows.map(({ name }) => name)).toEqual(MIGRATIONS.map(({ name }) => name));
  });

  it('confirm users created by the operator, not those who signed up; queued mails are kept', async () => {
    const at = MIGRATIONS.findIndex(({ name }) => name === 'ConfirmedUsers1763800001100');
    const undo = async () => {
      for (let left = MIGRATIONS.length - at; left > 0; left--) await first().undoLastMigration();
    };
    await migrate(first());
    await undo();
    await first().query(`
      INSERT INTO users (id, email, created_at) VALUES
        ('usr_operator', 'a@example.com', '2026-01-01Z'), ('usr_stranger', 'b@example.com', '2026-01-02Z');
      INSERT INTO teams (id, name, base_tier, created_at) VALUES ('team_1', 'T', 'free', '2026-01-01Z');
      INSERT INTO audit_log (id, at, action, team_id, target_type, target_id, details) VALUES
        ('aud_1', '2026-01-01Z', 'account.created', 'team_1', 'user', 'usr_operator', '{}'),
        ('aud_2', '2026-01-02Z', 'account.signed_up', 'team_1', 'user', 'usr_stranger', '{}'),
        ('aud_3', '2026-01-03Z', 'account.created', 'team_1', 'user', 'usr_stranger', '{}');
      INSERT INTO invites (id, team_id, email, role, token_digest, invited_by, by_mail, created_at, expires_at, revoked_at)
      VALUES ('inv_1', 'team_1', 'c@example.com', 'member', 'x', 'usr_operator', true, '2026-01-01Z', '2036-01-01Z', null),
             ('inv_2', 'team_1', 'd@example.com', 'member', 'y', 'usr_operator', true, '2026-01-01Z', '2036-01-01Z', '2026-01-02Z');
      INSERT INTO invite_mails (invite_id, ciphertext, attempts, due_at)
      VALUES ('inv_1', 'sealed', 3, '2026-01-02Z'), ('inv_2', 'sealed', 3, '2026-01-02Z')`);
    await migrate(first());
    expect(await first().query('SELECT id, confirmed_at FROM users ORDER BY id')).toEqual([
      { id: 'usr_operator', confirmed_at: new Date('2026-01-01Z') },
      { id: 'usr_stranger', confirmed_at: null },
    ]);
    expect(await first().query('SELECT * FROM outgoing_mails')).toEqual([
      {
        id: 'inv_1',
        kind: 'invite',
        team_id: 'team_1',
        ciphertext: 'sealed',
        attempts: 3,
        due_at: new Date('2026-01-02Z'),
        expires_at: new Date('2036-01-01Z'),
      },
    ]);
    await undo();
    expect(await first().query('SELECT invite_id FROM invite_mails')).toEqual([{ invite_id: 'inv_1' }]);
  });

  it('are not started by checking them', async () => {
    expect(await isMigrated(first())).toBe(false);
    expect(await tables()).toEqual([]);
  });

  it('leave no lock and no setting behind', async () => {
    await migrate(first());
    const locks = await first().query<unknown[]>(
      `SELECT 1 FROM pg_locks JOIN pg_database d ON d.oid = database AND d.datname = current_database()
        WHERE locktype = 'advisory'`,
    );
    expect(locks).toEqual([]);
    const timeouts = await Promise.all(
      [1, 2, 3].map(() => first().query<{ statement_timeout: string }[]>('SHOW statement_timeout')),
    );
    expect(timeouts.flat().map((row) => row.statement_timeout)).toEqual(['10s', '10s', '10s']);
  });

  it('may take longer than the statement and idle timeouts, while another process waits', async () => {
    await migrate(first());
    const impatient = await Promise.all([anImpatientPool(), anImpatientPool()]);
    pools.push(...impatient);
    await expect(impatient[0].query('SELECT pg_sleep(1)')).rejects.toThrow('statement timeout');
    await Promise.all(impatient.map(migrate));
    const [times] = await first().query<{ times: number }[]>('SELECT count(*)::int AS times FROM slow');
    expect(times).toEqual({ times: 1 });
    expect(await Promise.all(impatient.map(isMigrated))).toEqual([true, true]);
  });

  it('that fail leave no lock behind', async () => {
    await first().query('CREATE TABLE teams (in_the_way integer)');
    // TypeORM writes to the console regardless of its logging option.
    const told = jest.spyOn(console, 'log').mockReturnValue(undefined);
    await expect(migrate(first())).rejects.toThrow('already exists');
    told.mockRestore();
    await first().query('DROP TABLE teams');
    await migrate(pools[1] as DataSource);
    expect(await isMigrated(first())).toBe(true);
  });

  it('keep deferred checks, and verify deferred rows of open lists again', async () => {
    await migrate(first());
    const has = async (table: string) => (await tables()).includes(table);
    while (!(await has('put_off_checks'))) await first().undoLastMigration();
    const job = (id: string, state: string) =>
      `('${id}', 'team_1', 'live', '${state}', false, 9, 9, 7, 7, 7, '{}', 0, 2, 7, now(), now())`;
    await first().query(`
      INSERT INTO teams (id, name, base_tier, created_at) VALUES ('team_1', 'A team', 'free', now());
      INSERT INTO put_off_checks (id, team_id, address_hash, sealed, reason, key_id, first_asked_at, asked_again, due_at, done_at, erase_at)
      VALUES ('chk_1', 'team_1', '\x01', 'an address', 'greylisted', 'key_1', now(), 1, '2030-01-01Z', NULL, NULL),
             ('chk_2', 'team_1', '\x02', 'a verdict', 'greylisted', 'key_1', now(), 1, now(), now(), '2030-01-02Z');
      INSERT INTO bulk_jobs (id, team_id, mode, state, refresh, total, addresses, processed, answered, charged, by_reason,
                             chunks_left, parked_left, retention_days, created_at, touched_at)
      VALUES ${job('job_open', 'running')}, ${job('job_over', 'canceled')};
      INSERT INTO bulk_parked (list, hash, email, rows, verdict, parked_at, due_at)
      SELECT list, decode(hash, 'hex'), 'a@b.test', 1, '{}', now(), now()
        FROM bulk_jobs, unnest(ARRAY['aa', 'bb']) AS hash`);
    await migrate(first());
    expect(
      await first().query(
        'SELECT id, address, verdict, attempts, due_at AS "dueAt", erase_at AS "eraseAt" FROM rechecks ORDER BY id',
      ),
    ).toEqual([
      {
        id: 'chk_1',
        address: 'an address',
        verdict: null,
        attempts: 1,
        dueAt: new Date('2030-01-01'),
        eraseAt: null,
      },
      {
        id: 'chk_2',
        address: null,
        verdict: 'a verdict',
        attempts: 1,
        dueAt: null,
        eraseAt: new Date('2030-01-02'),
      },
    ]);
    expect(
      await first().query(
        `SELECT j.id, encode(hash_from, 'hex') AS from, encode(hash_to, 'hex') AS to FROM bulk_chunks JOIN bulk_jobs j USING (list) ORDER BY no`,
      ),
    ).toEqual([
      { id: 'job_open', from: 'aa', to: 'aa00' },
      { id: 'job_open', from: 'bb', to: 'bb00' },
    ]);
    expect(
      await first().query(`SELECT chunks_left, deferred_left FROM bulk_jobs WHERE state = 'running'`),
    ).toEqual([{ chunks_left: 2, deferred_left: 0 }]);
  });

  it('accept what a worker of the previous version writes to bulk_turns', async () => {
    await migrate(first());
    const serve = (at: string) =>
      first().query(
        `WITH claimed AS (SELECT 'team_1' AS team_id), served AS (
           INSERT INTO bulk_turns (team_id, served_at) SELECT team_id, $1::timestamptz FROM claimed
           ON CONFLICT (team_id) DO UPDATE SET served_at = excluded.served_at
         ) SELECT team_id FROM claimed LEFT JOIN bulk_turns USING (team_id)`,
        [at],
      );
    for (const at of ['2030-01-01Z', '2030-01-02Z']) expect(await serve(at)).toEqual([{ team_id: 'team_1' }]);
    expect(await first().query('SELECT * FROM bulk_teams')).toEqual([
      { team_id: 'team_1', served_at: new Date('2030-01-02') },
    ]);
    await first().query(`DELETE FROM bulk_turns WHERE team_id = 'team_1'`);
    expect(await first().query('SELECT * FROM bulk_teams')).toEqual([]);
  });

  it('revert to an empty schema, and run again to the same one', async () => {
    await migrate(first());
    const before = await shape();
    for (let left = MIGRATIONS.length; left > 0; left--) await first().undoLastMigration();
    expect(await tables()).toEqual(['migrations']);
    expect(await isMigrated(first())).toBe(false);
    await migrate(first());
    expect(await shape()).toEqual(before);
  });
});
