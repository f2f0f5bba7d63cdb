import type { DataSource } from 'typeorm';
import { isQueueMigrated, migrateQueue } from '../queue/queue-schema.js';

/** Any number that nobody else locks on: "rcpt" in ASCII. */
const MIGRATION_LOCK = 0x72637074;

/**
 * Brings the database up to date. Processes that start together do it one after
 * the other: the first migrates, the others find nothing left to do.
 */
export async function migrate(dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query('SET statement_timeout = 0');
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await dataSource.runMigrations();
    await migrateQueue(runner);
  } finally {
    await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await runner.query('RESET statement_timeout').catch(() => undefined);
    await runner.release();
  }
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
