import type { PostgresUnitOfWork } from './postgres-unit-of-work.js';

/** Rows of one table that are to be deleted. */
export interface Purge {
  table: string;
  /** SQL; its values are `$1`, `$2`, … */
  where: string;
  /** Columns of the index that finds the rows: without an order the planner may scan over what is deleted already. */
  orderBy: string;
  values?: readonly unknown[];
}

/** Rows that one statement deletes: some tens of milliseconds, far below the statement timeout. */
export const PURGE_BATCH = 5_000;
/** Rows that one run deletes at most, so that it ends soon when the process is to end; the next run goes on. */
export const PURGE_RUN = 100_000;

/**
 * Of rows that have just come the planner knows nothing: it would read and sort all that are left for
 * each batch. So it has to follow the index.
 */
const BY_INDEX =
  'SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_sort = off';

/**
 * Deletes in batches until no row is left or the bound of a run is reached. Each batch is a
 * transaction of its own on the pool, also while a unit of work is open, so that no lock is held for
 * long. Rows that somebody else has locked are left to the next run.
 *
 * @param setting a `SET LOCAL` that the table asks for.
 * @returns how many rows were deleted.
 */
export async function purge(
  work: PostgresUnitOfWork,
  { table, where, orderBy, values = [] }: Purge,
  { most = PURGE_RUN, setting = '' } = {},
): Promise<number> {
  const statement = `
    DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${table} WHERE ${where} ORDER BY ${orderBy} LIMIT ${PURGE_BATCH} FOR UPDATE SKIP LOCKED))`;
  let deleted = 0;
  for (let count = PURGE_BATCH; count === PURGE_BATCH && deleted < most; deleted += count) {
    count = await work.pool.transaction(async (manager) => {
      await manager.query(`${BY_INDEX}; ${setting}`);
      return (await manager.query<[unknown, number]>(statement, [...values]))[1];
    });
  }
  return deleted;
}
