import { Injectable } from '@nestjs/common';
import type { Status } from '../../../kernel/verdict.js';
import { PostgresUnitOfWork } from '../../../platform/database/transactions/postgres-unit-of-work.js';
import type { ScheduleId } from '../domain/schedule.js';
import { ScheduleMemberRepository, type MemberStatus } from '../domain/schedule-member.repository.js';
import type { RecordedResults } from '../domain/schedule-run.js';

/** The condition is on the primary key: a look-up for each address. */
const VERIFIED_SINCE = `
  SELECT encode(m.address_key, 'hex') AS key FROM unnest($2::text[]) AS asked (key) CROSS JOIN LATERAL (
    SELECT address_key FROM schedule_members
     WHERE schedule_id = $1 AND address_key = decode(asked.key, 'hex') AND verified_at > $3 OFFSET 0
  ) m`;

const RECORD = `
  WITH given AS (
    SELECT decode(key, 'hex') AS address_key, status, verified_at
      FROM unnest($2::text[], $3::text[], $4::timestamptz[]) AS given (key, status, verified_at)
  ), known AS (
    SELECT given.address_key, m.status FROM given CROSS JOIN LATERAL (
      SELECT status FROM schedule_members WHERE schedule_id = $1 AND address_key = given.address_key OFFSET 0
    ) m
  ), saved AS (
    INSERT INTO schedule_members (schedule_id, address_key, status, verified_at, expires_at)
    SELECT $1, address_key, status, verified_at, verified_at + $5 * interval '24 hours' FROM given
    ON CONFLICT (schedule_id, address_key) DO UPDATE
      SET status = excluded.status, verified_at = excluded.verified_at, expires_at = excluded.expires_at
  )
  SELECT given.status, count(*) FILTER (WHERE known.status IS NULL)::integer AS added,
         count(*) FILTER (WHERE known.status <> given.status)::integer AS changed
    FROM given LEFT JOIN known USING (address_key) GROUP BY given.status`;

const SCHEDULES_AT_ONCE = 1_000;
const NEXT_SCHEDULES = 'SELECT id FROM schedules WHERE id > $1 ORDER BY id LIMIT $2';
const DELETE_ADDRESS = `
  DELETE FROM schedule_members WHERE schedule_id = ANY ($1) AND address_key = decode($2, 'hex')`;

/** SQL, because each statement reads or writes hundreds of rows. */
@Injectable()
export class PostgresScheduleMemberRepository extends ScheduleMemberRepository {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  async listVerifiedSince(
    scheduleId: ScheduleId,
    addressKeys: readonly string[],
    since: Date,
  ): Promise<ReadonlySet<string>> {
    const rows = await this.work.manager.query<{ key: string }[]>(VERIFIED_SINCE, [
      scheduleId,
      addressKeys,
      since,
    ]);
    return new Set(rows.map(({ key }) => key));
  }

  async record(
    scheduleId: ScheduleId,
    members: readonly MemberStatus[],
    keptDays: number,
  ): Promise<RecordedResults> {
    const counts = await this.work.manager.query<{ status: Status; added: number; changed: number }[]>(
      RECORD,
      [
        scheduleId,
        members.map(({ addressKey }) => addressKey),
        members.map(({ status }) => status),
        members.map(({ verifiedAt }) => verifiedAt),
        keptDays,
      ],
    );
    const changed = counts.filter((row) => row.changed > 0).map((row) => [row.status, row.changed] as const);
    const added = counts.reduce((sum, row) => sum + row.added, 0);
    return { added, changed: Object.fromEntries(changed) };
  }

  async deleteAddress(addressKey: string): Promise<number> {
    const { manager } = this.work;
    let deleted = 0;
    let ids: string[] = [];
    do {
      const rows = await manager.query<{ id: string }[]>(NEXT_SCHEDULES, [
        ids.at(-1) ?? '',
        SCHEDULES_AT_ONCE,
      ]);
      ids = rows.map(({ id }) => id);
      const [, count] = await manager.query<[unknown, number]>(DELETE_ADDRESS, [ids, addressKey]);
      deleted += count;
    } while (ids.length === SCHEDULES_AT_ONCE);
    return deleted;
  }
}
