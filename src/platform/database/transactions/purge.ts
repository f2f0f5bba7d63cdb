import type { PostgresUnitOfWork } from './postgres-unit-of-work.js';

interface Purge {
  table: string;
  /** SQL condition with the parameters `$1`, `$2`, … */
  where: string;
  /** Columns of the index that finds the rows. Without an order the planner may scan dead tuples. */
  orderBy: string;
  values?: readonly unknown[];
}

/** Rows deleted by one statement. This takes tens of milliseconds, far below the statement timeout. */
export const PURGE_BATCH = 5_000;
/** Maximum rows deleted by one run, so that a shutdown does not wait long. The next run continues. */
export const PURGE_RUN = 100_000;

/**
 * Forces an index scan. Without statistics about recent rows the planner would read and sort all
 * remaining rows for each batch.
 */
const BY_INDEX =
  'SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_sort = off';

/**
 * Deletes rows in batches until no row remains or the maximum of a run is reached. Each batch is a
 * separate transaction, so that locks are held briefly: not inside a unit of work. Locked rows are skipped until
 * the next run.
 *
 * @param setting a `SET LOCAL` statement that the table requires.
 * @returns the number of deleted rows.
 */
export async function purge(
  work: PostgresUnitOfWork,
  { table, where, orderBy, values = [] }: Purge,
  { maxRows = PURGE_RUN, setting = '' } = {},
): Promise<number> {
  const statement = `
    DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${table} WHERE ${where} ORDER BY ${orderBy} LIMIT ${PURGE_BATCH} FOR UPDATE SKIP LOCKED))`;
  let deleted = 0;
  for (let count = PURGE_BATCH; count === PURGE_BATCH && deleted < maxRows; deleted += count) {
    count = await work.pool.transaction(async (manager) => {
      await manager.query(`${BY_INDEX}; ${setting}`);
      return (await manager.query<[unknown, number]>(statement, [...values]))[1];
    });
  }
  return deleted;
}
