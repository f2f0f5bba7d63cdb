import { LATEST_SCHEMA_VERSION, runMigrations } from 'bullmq';
import type { PoolClient } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';

export const QUEUE_SCHEMA = 'bullmq';

/** Makes or renews BullMQ's own tables, also where Redis rings: `REDIS_URL` may be taken away again. */
export async function migrateQueue(runner: QueryRunner): Promise<void> {
  await runMigrations((await runner.connect()) as PoolClient, QUEUE_SCHEMA);
}

/** True once BullMQ finds its tables as it wants them. */
export async function isQueueMigrated(dataSource: DataSource): Promise<boolean> {
  const table = `${QUEUE_SCHEMA}.migration`;
  const [found] = await dataSource.query<{ begun: boolean }[]>(
    'SELECT to_regclass($1) IS NOT NULL AS begun',
    [table],
  );
  if (found?.begun !== true) return false;
  const [latest] = await dataSource.query<{ version: number }[]>(
    `SELECT coalesce(max(version), 0)::int AS version FROM ${table}`,
  );
  return (latest?.version ?? 0) >= LATEST_SCHEMA_VERSION;
}
