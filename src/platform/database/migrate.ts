import { setTimeout as pause } from 'node:timers/promises';
import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';
import { isQueueMigrated, migrateQueue } from '../queue/queue-schema.js';
import { createMaintenanceDataSource } from './data-source.js';

/** Key of the advisory lock: "rcpt" in ASCII. */
const MIGRATION_LOCK = 0x72637074;
const LOCK_RETRY_MS = 200;
/** Disabled for what takes as long as the tables are large. */
const TIME_LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

/** A session that holds a lock for which a migration has waited. */
export interface Blocker {
  pid: number;
  /** `application_name`; empty: not set, or the session is of another role. */
  application: string;
  /** How long its transaction is open; null: the session is of another role. */
  seconds: number | null;
}

/** While a migration waits for a lock of a table, others wait behind it. It gives up, and tries again after a pause. */
const LOCK_TIMES = { waitMs: 2_000, pauseMs: 5_000 };
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs pending migrations. An advisory lock serializes processes that start at
 * the same time: the first one migrates, the others find no pending migration.
 *
 * @param onBlocked is called each time that a migration could not lock a table.
 */
export async function migrate(
  dataSource: DataSource,
  onBlocked: (blockers: readonly Blocker[]) => void = () => undefined,
  times = LOCK_TIMES,
): Promise<void> {
  if (await isMigrated(dataSource)) return;
  await withMaintenance(dataSource, 'alone', async (own, runner) => {
    await runner.query(`SET lock_timeout = ${times.waitMs}`);
    for (;;) {
      const watch = await watchBlockers(dataSource, runner, times.waitMs / 4);
      try {
        return await migrateWith(own, runner);
      } catch (error) {
        if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
        onBlocked(watch.blockers);
      } finally {
        watch.end();
      }
      await pause(times.pauseMs);
    }
  });
}

const BLOCKERS = `
  SELECT pid, coalesce(application_name, '') AS application,
         round(extract(epoch FROM now() - xact_start))::integer AS seconds
    FROM unnest(pg_blocking_pids($1)) AS blocking (pid) JOIN pg_stat_activity USING (pid)`;

/** Looks again and again who blocks a connection: when its wait has failed, nobody does any more. */
async function watchBlockers(
  dataSource: DataSource,
  runner: QueryRunner,
  everyMs: number,
): Promise<{ readonly blockers: readonly Blocker[]; end: () => void }> {
  const [own] = (await runner.query('SELECT pg_backend_pid() AS pid')) as { pid: number }[];
  const watch = { blockers: [] as readonly Blocker[], end: () => clearInterval(timer) };
  const look = async () => {
    const found = await dataSource.query<Blocker[]>(BLOCKERS, [own?.pid]);
    if (found.length > 0) watch.blockers = found;
  };
  const timer = setInterval(() => void look().catch(() => undefined), everyMs);
  return watch;
}

/**
 * Runs `work` on one connection without timeouts. `alone`: nothing else of this kind runs at the same time;
 * `shared`: no migration and no restore does.
 */
export async function withMaintenance<T>(
  dataSource: DataSource,
  lock: 'alone' | 'shared',
  work: (own: DataSource, runner: QueryRunner) => Promise<T>,
): Promise<T> {
  const own = await createMaintenanceDataSource(dataSource).initialize();
  try {
    const runner = own.createQueryRunner();
    for (const limit of TIME_LIMITS) await runner.query(`SET ${limit} = 0`);
    const suffix = lock === 'alone' ? '' : '_shared';
    await acquire(runner, suffix);
    const done = await work(own, runner).finally(() => release(runner, suffix));
    await runner.release();
    return done;
  } finally {
    await own.destroy();
  }
}

async function migrateWith(own: DataSource, runner: QueryRunner): Promise<void> {
  const executor = new MigrationExecutor(own, runner);
  executor.transaction = 'each';
  await executor.executePendingMigrations();
  await migrateQueue(runner);
}

/** Polls for the lock: a waiting statement holds a snapshot, and CREATE INDEX CONCURRENTLY would wait for it. */
async function acquire(runner: QueryRunner, suffix: string): Promise<void> {
  const statement = `SELECT pg_try_advisory_lock${suffix}($1) AS locked`;
  for (;;) {
    const [row] = (await runner.query(statement, [MIGRATION_LOCK])) as { locked: boolean }[];
    if (row?.locked === true) return;
    await pause(LOCK_RETRY_MS);
  }
}

/** Explicitly: the lock also ends with the connection, but with a delay. */
async function release(runner: QueryRunner, suffix: string): Promise<void> {
  await runner.query(`SELECT pg_advisory_unlock${suffix}($1)`, [MIGRATION_LOCK]).catch(() => undefined);
}

export async function isMigrated(dataSource: DataSource): Promise<boolean> {
  // `showMigrations` creates the table if it is missing, which may conflict with a concurrent `migrate`.
  const [found] = await dataSource.query<{ begun: boolean }[]>(
    "SELECT to_regclass('migrations') IS NOT NULL AS begun",
  );
  if (found?.begun !== true || (await dataSource.showMigrations())) return false;
  return isQueueMigrated(dataSource);
}
