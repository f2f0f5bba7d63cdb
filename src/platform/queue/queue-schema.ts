import type { PoolClient } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';

export const QUEUE_SCHEMA = 'bullmq';
/** `LATEST_SCHEMA_VERSION` of BullMQ, repeated here so that BullMQ is not loaded for it. */
export const QUEUE_SCHEMA_VERSION = 11;

/** Runs the migrations of BullMQ's tables, also if jobs are in Redis: `REDIS_URL` may be removed later. */
export async function migrateQueue(runner: QueryRunner): Promise<void> {
  if (await isQueueMigrated(runner)) return;
  const { runMigrations } = await import('bullmq');
  await runMigrations((await runner.connect()) as PoolClient, QUEUE_SCHEMA);
}

export async function isQueueMigrated(database: Pick<DataSource, 'query'>): Promise<boolean> {
  const table = `${QUEUE_SCHEMA}.migration`;
  const [found] = await database.query<{ begun: boolean }[]>('SELECT to_regclass($1) IS NOT NULL AS begun', [
    table,
  ]);
  if (found?.begun !== true) return false;
  const [latest] = await database.query<{ version: number }[]>(
    `SELECT coalesce(max(version), 0)::int AS version FROM ${table}`,
  );
  return (latest?.version ?? 0) >= QUEUE_SCHEMA_VERSION;
}
