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
/** Rows that one run deletes at most; the next run goes on. */
export const PURGE_RUN = 1_000_000;

/**
 * Deletes in batches until no row is left or the bound of a run is reached. Each batch is a
 * transaction of its own on the pool, also while a unit of work is open, so that no lock is held for
 * long. Rows that somebody else has locked are left to the next run.
 *
 * @param beforeEach a statement that each batch needs in its transaction.
 * @returns how many rows were deleted.
 */
export async function purge(
  work: PostgresUnitOfWork,
  { table, where, orderBy, values = [] }: Purge,
  { most = PURGE_RUN, beforeEach = null as string | null } = {},
): Promise<number> {
  const statement = `
    DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${table} WHERE ${where} ORDER BY ${orderBy} LIMIT ${PURGE_BATCH} FOR UPDATE SKIP LOCKED))`;
  const deleteSome = async (manager: PostgresUnitOfWork['pool']) => {
    const [, count] = await manager.query<[unknown, number]>(statement, [...values]);
    return count;
  };
  let deleted = 0;
  for (let count = PURGE_BATCH; count === PURGE_BATCH && deleted < most; deleted += count) {
    if (beforeEach === null) count = await deleteSome(work.pool);
    else
      count = await work.pool.transaction(async (manager) => {
        await manager.query(beforeEach);
        return deleteSome(manager);
      });
  }
  return deleted;
}
