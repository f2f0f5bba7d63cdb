import { Injectable } from '@nestjs/common';
import { PostgresUnitOfWork } from '../../../platform/database/postgres-unit-of-work.js';
import { ListErasureRepository, type StoredList } from '../domain/list-erasure.repository.js';

/** Rows and results are found by the eight bytes of their list and the keyed hash, as they are stored. */
const ADDRESSES = 'SELECT int8send(each::bigint) || $2::bytea FROM unnest($1::text[]) each';

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

  async holding(lists: readonly string[], hash: Buffer): Promise<string[]> {
    const rows = await this.work.manager.query<{ list: string }[]>(
      `SELECT DISTINCT list FROM bulk_rows WHERE address = ANY (ARRAY(${ADDRESSES}))`,
      [lists, hash],
    );
    return rows.map(({ list }) => list);
  }

  erase(lists: readonly string[], hash: Buffer): Promise<number> {
    return this.work.run(async () => {
      const { manager } = this.work;
      await manager.query(
        `DELETE FROM bulk_row_reasons USING bulk_rows r, bulk_results s
          WHERE (bulk_row_reasons.list, bulk_row_reasons.idx) = (r.list, r.idx)
            AND bulk_row_reasons.reason = s.reason AND s.address = r.address
            AND r.address = ANY (ARRAY(${ADDRESSES}))`,
        [lists, hash],
      );
      await manager.query(`DELETE FROM bulk_results WHERE address = ANY (ARRAY(${ADDRESSES}))`, [
        lists,
        hash,
      ]);
      const [, rows] = await manager.query<[unknown, number]>(
        `UPDATE bulk_rows SET email = '', sent = NULL, ref = NULL
          WHERE address = ANY (ARRAY(${ADDRESSES})) AND email <> ''`,
        [lists, hash],
      );
      return rows;
    });
  }
}
