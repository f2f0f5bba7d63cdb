import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { PostgresUnitOfWork } from '../transactions/postgres-unit-of-work.js';
import { purge } from '../transactions/purge.js';
import { DAY_MS } from '../../../kernel/durations.js';

export interface ExpiringRows {
  table: string;
  /** A time, or a UTC day; an index begins with it. */
  column: string;
  /** Days that a row is kept after it; absent: it is the time at which the row expires. */
  days?: number;
  /** A `SET LOCAL` statement that the table requires. */
  setting?: string;
}

interface RowsOfSubject {
  table: string;
  /** The columns of an index; the first one has the id of the subject. */
  orderBy: string;
  /** The condition of the index, if it is a partial one. */
  where?: string;
}

/** Deletes rows in batches: those that have expired, and those of deleted teams and webhooks. */
@Injectable()
export class Retention {
  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @returns the number of deleted rows. */
  async deleteExpired(...expiring: readonly ExpiringRows[]): Promise<number> {
    let deleted = 0;
    for (const { table, column, days = 0, setting } of expiring) {
      // As a text: of a time in another time zone, PostgreSQL would read the day of that zone.
      const before = new Date(this.clock.now().getTime() - days * DAY_MS).toISOString();
      const rows = { table, where: `${column} < $1`, orderBy: column, values: [before] };
      deleted += await purge(this.work, rows, { setting });
    }
    return deleted;
  }

  /** @returns the number of deleted rows. */
  async deleteBySubject(subject: string, ...owned: readonly RowsOfSubject[]): Promise<number> {
    let deleted = 0;
    for (const { table, orderBy, where = 'true' } of owned) {
      const [column = ''] = orderBy.split(',');
      const rows = { table, where: `${column} = $1 AND ${where}`, orderBy, values: [subject] };
      deleted += await purge(this.work, rows);
    }
    return deleted;
  }
}
