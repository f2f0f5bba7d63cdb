import { Injectable } from '@nestjs/common';
import type { ListId } from '../../../kernel/ids.js';
import { PostgresUnitOfWork } from '../../../platform/database/transactions/postgres-unit-of-work.js';
import { ListErasureRepository, type StoredList } from '../domain/list-erasure.repository.js';

/** Rows and results are stored under the eight bytes of their list and the key of the address. */
const ADDRESSES =
  'SELECT int8send(list::bigint) || key FROM unnest($1::text[]) list CROSS JOIN unnest($2::bytea[]) key';

/** SQL, because rows of many lists are found by one hash. */
@Injectable()
export class PostgresListErasureRepository extends ListErasureRepository {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  lists(after: ListId | null, limit: number): Promise<StoredList[]> {
    return this.work.manager.query<StoredList[]>(
      `SELECT list AS "listId", id AS "jobId", state IN ('completed', 'canceled', 'failed') AS "isEnded"
         FROM bulk_jobs WHERE list > $1 AND state <> 'erasing' ORDER BY list LIMIT $2`,
      [after ?? '0', limit],
    );
  }

  async holding(listIds: readonly ListId[], keys: readonly Buffer[]): Promise<ListId[]> {
    const rows = await this.work.manager.query<{ listId: ListId }[]>(
      `SELECT DISTINCT list AS "listId" FROM bulk_rows WHERE address = ANY (ARRAY(${ADDRESSES}))`,
      [listIds, keys],
    );
    return rows.map(({ listId }) => listId);
  }

  erase(listIds: readonly ListId[], keys: readonly Buffer[]): Promise<number> {
    return this.work.run(async () => {
      const { manager } = this.work;
      await manager.query(
        `DELETE FROM bulk_row_reasons USING bulk_rows r, bulk_results s
          WHERE (bulk_row_reasons.list, bulk_row_reasons.idx) = (r.list, r.idx)
            AND bulk_row_reasons.reason = s.reason AND s.address = r.address
            AND r.address = ANY (ARRAY(${ADDRESSES}))`,
        [listIds, keys],
      );
      await manager.query(`DELETE FROM bulk_results WHERE address = ANY (ARRAY(${ADDRESSES}))`, [
        listIds,
        keys,
      ]);
      const [, rows] = await manager.query<[unknown, number]>(
        `UPDATE bulk_rows SET email = '', sent = NULL, ref = NULL
          WHERE address = ANY (ARRAY(${ADDRESSES})) AND email <> ''`,
        [listIds, keys],
      );
      return rows;
    });
  }
}
