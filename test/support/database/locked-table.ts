import type { DataSource } from 'typeorm';

/**
 * Runs the work while a table is locked, so that the statements that read it wait.
 *
 * @param work is called with what returns the number of waiting statements, once there is one.
 */
export async function withLockedTable<T>(
  dataSource: DataSource,
  table: string,
  work: (waiting: () => Promise<number>) => Promise<T>,
): Promise<T> {
  const runner = dataSource.createQueryRunner();
  const waiting = async () => {
    for (;;) {
      const [row] = (await runner.query(
        `SELECT count(*)::integer AS n FROM pg_locks WHERE NOT granted AND relation = '${table}'::regclass`,
      )) as { n: number }[];
      if (row !== undefined && row.n > 0) return row.n;
    }
  };
  await runner.startTransaction();
  try {
    await runner.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    return await work(waiting);
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}
