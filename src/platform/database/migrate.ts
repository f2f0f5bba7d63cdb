import { setTimeout as pause } from 'node:timers/promises';
import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';
import { isQueueMigrated, migrateQueue } from '../queue/queue-schema.js';
import { createMigrationDataSource } from './data-source.js';

/** Any number that nobody else locks on: "rcpt" in ASCII. */
const MIGRATION_LOCK = 0x72637074;
const LOCK_RETRY_MS = 200;
/** A migration takes as long as the tables are large, whatever the server, the database or the role sets. */
const TIME_LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

/**
 * Brings the database up to date. Processes that start together do it one after
 * the other: the first migrates, the others find nothing left to do. One
 * connection without time limits holds the lock and migrates.
 */
export async function migrate(dataSource: DataSource): Promise<void> {
  if (await isMigrated(dataSource)) return;
  const own = await createMigrationDataSource(dataSource).initialize();
  try {
    const runner = own.createQueryRunner();
    for (const limit of TIME_LIMITS) await runner.query(`SET ${limit} = 0`);
    await acquireLock(runner);
    await migrateWith(own, runner).finally(() => releaseLock(runner));
    await runner.release();
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

/** Tries again and again: a statement that waits has a snapshot, which CREATE INDEX CONCURRENTLY would wait for. */
async function acquireLock(runner: QueryRunner): Promise<void> {
  const statement = 'SELECT pg_try_advisory_lock($1) AS locked';
  for (;;) {
    const [row] = (await runner.query(statement, [MIGRATION_LOCK])) as { locked: boolean }[];
    if (row?.locked === true) return;
    await pause(LOCK_RETRY_MS);
  }
}

/** The lock ends with the connection, but not at once. */
async function releaseLock(runner: QueryRunner): Promise<void> {
  await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
}

/** True once no migration is missing. */
export async function isMigrated(dataSource: DataSource): Promise<boolean> {
  // TypeORM would make its table if there is none, perhaps in the moment when `migrate` does.
  const [found] = await dataSource.query<{ begun: boolean }[]>(
    "SELECT to_regclass('migrations') IS NOT NULL AS begun",
  );
  if (found?.begun !== true || (await dataSource.showMigrations())) return false;
  return isQueueMigrated(dataSource);
}
