import { createDataSource } from '../../../src/platform/database/data-source.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { aFreshDatabase } from '../database/fresh-database.js';

export interface QuotaDay {
  day: string;
  used: number;
  reserved: number;
}

/** A migrated database, with helpers to read the quota. */
export async function aQuotaDatabase() {
  const database = await aFreshDatabase();
  const dataSource = await createDataSource(database.url, [], 2).initialize();
  await migrate(dataSource);
  const query = <Row>(statement: string, values: unknown[] = []) =>
    dataSource.query<Row[]>(statement, values);
  const setToday = (day: string) =>
    query(`CREATE OR REPLACE FUNCTION rcpt_today() RETURNS date LANGUAGE sql STABLE AS
      $$ SELECT date '${day}' $$`);
  // Prevents that a test at midnight sees two days.
  const [row] = await query<{ today: string }>('SELECT rcpt_today()::text AS today');
  const today = row?.today ?? '';
  await setToday(today);
  return {
    url: database.url,
    today,
    setToday,
    query,
    days: () => query<QuotaDay>('SELECT day::text, used, reserved FROM quota_days ORDER BY day'),
    counts: () => query<Record<string, unknown>>('SELECT * FROM usage_days ORDER BY team_id, account'),
    events: () => query<{ type: string; data: object }>('SELECT type, data FROM outbox ORDER BY id'),
    clear: () => query('TRUNCATE quota_days, usage_days, outbox'),
    drop: async () => {
      await dataSource.destroy();
      await database.drop();
    },
  };
}

export type QuotaDatabase = Awaited<ReturnType<typeof aQuotaDatabase>>;

export function dayAfter(day: string): string {
  const next = new Date(`${day}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, 10);
}
