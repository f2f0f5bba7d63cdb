/** Tables without a row in the data of a release. */
const EMPTY: readonly RegExp[] = [
  // Of features of the queue that the service does not use.
  /^bullmq\.(?:dedup_next|job_dependency|job_log|metrics|rate_limit|relay_\w+|scheduler)$/,
  // Learned from many outcomes, and learned again every hour.
  /^public\.outcome_hosts$/,
  // What a run of a schedule is reading, and has found in the DNS: the next run reads and finds it again.
  /^public\.schedule_(?:rows|domains)$/,
  // A paused service makes no objects.
  /^public\.service_pause$/,
];

/** The tables that should have a row and have none: the data of a release proves nothing about them. */
export async function findEmptyTables(
  query: (sql: string) => Promise<{ name: string }[]>,
): Promise<string[]> {
  const tables = await query(
    `SELECT schemaname || '.' || tablename AS name FROM pg_tables WHERE schemaname IN ('public', 'bullmq')`,
  );
  const counts = tables.map(({ name }) => `SELECT '${name}' AS name WHERE NOT EXISTS (SELECT FROM ${name})`);
  const empty = await query(counts.join(' UNION ALL '));
  return empty.map(({ name }) => name).filter((name) => !EMPTY.some((pattern) => pattern.test(name)));
}
