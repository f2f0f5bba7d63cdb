import { Injectable } from '@nestjs/common';
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

  lists(after: string | null, limit: number): Promise<StoredList[]> {
    return this.work.manager.query<StoredList[]>(
      `SELECT list, id AS "jobId", state IN ('completed', 'canceled', 'failed') AS "isEnded"
         FROM bulk_jobs WHERE list > $1 AND state <> 'erasing' ORDER BY list LIMIT $2`,
      [after ?? '0', limit],
    );
  }

  async holding(lists: readonly string[], keys: readonly Buffer[]): Promise<string[]> {
    const rows = await this.work.manager.query<{ list: string }[]>(
      `SELECT DISTINCT list FROM bulk_rows WHERE address = ANY (ARRAY(${ADDRESSES}))`,
      [lists, keys],
    );
    return rows.map(({ list }) => list);
  }

  erase(lists: readonly string[], keys: readonly Buffer[]): Promise<number> {
    return this.work.run(async () => {
      const { manager } = this.work;
      await manager.query(
        `DELETE FROM bulk_row_reasons USING bulk_rows r, bulk_results s
          WHERE (bulk_row_reasons.list, bulk_row_reasons.idx) = (r.list, r.idx)
            AND bulk_row_reasons.reason = s.reason AND s.address = r.address
            AND r.address = ANY (ARRAY(${ADDRESSES}))`,
        [lists, keys],
      );
      await manager.query(`DELETE FROM bulk_results WHERE address = ANY (ARRAY(${ADDRESSES}))`, [
        lists,
        keys,
      ]);
      const [, rows] = await manager.query<[unknown, number]>(
        `UPDATE bulk_rows SET email = '', sent = NULL, ref = NULL
          WHERE address = ANY (ARRAY(${ADDRESSES})) AND email <> ''`,
        [lists, keys],
      );
      return rows;
    });
  }
}
