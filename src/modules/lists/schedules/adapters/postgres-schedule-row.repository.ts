import { Injectable } from '@nestjs/common';
import type { ListEntry } from '../../../../kernel/list-files/list-entry.js';
import type { Reason } from '../../../../kernel/verdict.js';
import { copyRows, HexBytes } from '../../../../platform/database/transactions/copy-rows.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import { purge } from '../../../../platform/database/transactions/purge.js';
import {
  ScheduleRowRepository,
  type DueRow,
  type PendingResult,
  type RunReference,
  type Stored,
} from '../domain/schedule-row.repository.js';

const KEY = 'schedule_id, run_id, idx';
const OF_RUN = 'schedule_id = $1 AND run_id = $2';
const COLUMNS = `(schedule_id, run_id, address_key, row, status, reason, score, verified_at, is_postponed)`;
const LIST = `
  SELECT idx::float8 AS index, encode(address_key, 'hex') AS "addressKey", row, status, reason, score,
         verified_at AS "verifiedAt", is_postponed AS "isPostponed" FROM schedule_rows WHERE ${OF_RUN}`;
const LIST_DUE = `${LIST} AND status IS NULL AND idx > $3 ORDER BY idx LIMIT $4`;
const LIST_RESULTS = `${LIST} AND status IS NOT NULL ORDER BY idx LIMIT $3`;
const COUNT = `
  SELECT reason, count(*)::integer AS count FROM schedule_rows
   WHERE ${OF_RUN} AND status = 'undeliverable' GROUP BY reason ORDER BY reason`;

type DueRecord = Pick<DueRow, 'addressKey'> & { index: number; row: ListEntry };
type ResultRecord = Stored<PendingResult> & { row: { id: number; email: string } };

/** SQL, because each statement reads or writes hundreds of rows. A text is stored as JSON, which can have any character. */
@Injectable()
export class PostgresScheduleRowRepository extends ScheduleRowRepository {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  async addDue({ id, scheduleId }: RunReference, rows: readonly DueRow[]): Promise<void> {
    await copyRows(this.work.manager, `schedule_rows ${COLUMNS}`, rows, ({ addressKey, email, ref }) => [
      scheduleId,
      id,
      new HexBytes(addressKey),
      JSON.stringify({ email, ref }),
      null,
      null,
      null,
      null,
      false,
    ]);
  }

  async addResults({ id, scheduleId }: RunReference, rows: readonly PendingResult[]): Promise<void> {
    await copyRows(this.work.manager, `schedule_rows ${COLUMNS}`, rows, (row) => [
      scheduleId,
      id,
      new HexBytes(row.addressKey),
      JSON.stringify({ id: row.id, email: row.email }),
      row.status,
      row.reason,
      row.score,
      row.verifiedAt.toISOString(),
      row.isPostponed,
    ]);
  }

  async listDue({ id, scheduleId }: RunReference, after: number, limit: number): Promise<Stored<DueRow>[]> {
    const values = [scheduleId, id, after, limit];
    const found = await this.work.manager.query<DueRecord[]>(LIST_DUE, values);
    return found.map(({ index, addressKey, row: { email, ref } }) => ({ index, addressKey, email, ref }));
  }

  async listResults({ id, scheduleId }: RunReference, limit: number): Promise<Stored<PendingResult>[]> {
    const found = await this.work.manager.query<ResultRecord[]>(LIST_RESULTS, [scheduleId, id, limit]);
    return found.map(({ row, ...result }) => ({ ...result, ...row }));
  }

  async countUndeliverable({ id, scheduleId }: RunReference): Promise<ReadonlyMap<Reason, number>> {
    const rows = await this.work.manager.query<{ reason: Reason; count: number }[]>(COUNT, [scheduleId, id]);
    return new Map(rows.map(({ reason, count }) => [reason, count]));
  }

  async delete({ id, scheduleId }: RunReference, indexes: readonly number[]): Promise<void> {
    const statement = `DELETE FROM schedule_rows WHERE ${OF_RUN} AND idx = ANY ($3::bigint[])`;
    await this.work.manager.query(statement, [scheduleId, id, indexes]);
  }

  deleteDue(run: RunReference): Promise<void> {
    return this.purge(run, `${OF_RUN} AND status IS NULL`);
  }

  deleteAll(run: RunReference): Promise<void> {
    return this.purge(run, OF_RUN);
  }

  async deleteAddress(addressKey: string): Promise<number> {
    const statement = `DELETE FROM schedule_rows WHERE address_key = decode($1, 'hex')`;
    return (await this.work.manager.query<[unknown, number]>(statement, [addressKey]))[1];
  }

  private async purge({ id, scheduleId }: RunReference, where: string): Promise<void> {
    const rows = { table: 'schedule_rows', where, orderBy: KEY, values: [scheduleId, id] };
    await purge(this.work, rows, { maxRows: Infinity });
  }
}
