import { Injectable } from '@nestjs/common';
import type { Status } from '../../../../kernel/verdict.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import type { ScheduleId } from '../domain/schedule.js';
import type { AddressResult } from '../domain/address-result.js';
import { ScheduleMemberRepository, type DomainFinding } from '../domain/schedule-member.repository.js';
import type { RecordedResults } from '../domain/schedule-run.js';

/** The condition is on the primary key: a look-up for each address. */
const VERIFIED_SINCE = `
  SELECT encode(m.address_key, 'hex') AS "addressKey", m.status, m.reason, m.score, m.verified_at AS "verifiedAt"
    FROM unnest($2::text[]) AS asked (key) CROSS JOIN LATERAL (
    SELECT address_key, status, reason, score, verified_at FROM schedule_members
     WHERE schedule_id = $1 AND address_key = decode(asked.key, 'hex') AND verified_at > $3 OFFSET 0
  ) m`;

const RECORD = `
  WITH given AS (
    SELECT decode(key, 'hex') AS address_key, status, reason, score, verified_at
      FROM unnest($2::text[], $3::text[], $4::text[], $5::smallint[], $6::timestamptz[])
        AS given (key, status, reason, score, verified_at)
  ), known AS (
    SELECT given.address_key, m.status FROM given CROSS JOIN LATERAL (
      SELECT status FROM schedule_members WHERE schedule_id = $1 AND address_key = given.address_key OFFSET 0
    ) m
  ), saved AS (
    INSERT INTO schedule_members AS m
      (schedule_id, address_key, status, reason, score, verified_at, expires_at)
    SELECT $1, address_key, status, reason, score, verified_at, verified_at + $7 * interval '24 hours' FROM given
     ORDER BY address_key
    ON CONFLICT (schedule_id, address_key) DO UPDATE
      SET status = excluded.status, reason = excluded.reason, score = excluded.score,
          verified_at = excluded.verified_at, expires_at = excluded.expires_at
      WHERE m.verified_at <= excluded.verified_at
    RETURNING address_key
  )
  SELECT given.status, count(*) FILTER (WHERE known.status IS NULL)::integer AS new,
         count(*) FILTER (WHERE known.status <> given.status AND saved.address_key IS NOT NULL)::integer AS changed
    FROM given LEFT JOIN known USING (address_key) LEFT JOIN saved USING (address_key) GROUP BY given.status`;

const DOMAINS = `
  SELECT domain, found_at AS "foundAt" FROM schedule_domains WHERE schedule_id = $1 AND domain = ANY ($2)`;
const RECORD_DOMAINS = `
  INSERT INTO schedule_domains AS d (schedule_id, domain, found_at, expires_at)
  SELECT $1, domain, found_at, found_at + $4 * interval '24 hours'
    FROM unnest($2::text[], $3::timestamptz[]) AS found (domain, found_at) ORDER BY domain
  ON CONFLICT (schedule_id, domain) DO UPDATE
    SET found_at = least(d.found_at, excluded.found_at), expires_at = greatest(d.expires_at, excluded.expires_at)`;
const FORGET_DOMAINS = `
  DELETE FROM schedule_domains WHERE schedule_id = $1 AND domain = ANY ($2)`;

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
  ): Promise<ReadonlyMap<string, AddressResult>> {
    const values = [scheduleId, addressKeys, since];
    const rows = await this.work.manager.query<AddressResult[]>(VERIFIED_SINCE, values);
    return new Map(rows.map((row) => [row.addressKey, row]));
  }

  async record(
    scheduleId: ScheduleId,
    results: readonly AddressResult[],
    keptDays: number,
  ): Promise<RecordedResults> {
    const counts = await this.work.manager.query<{ status: Status; new: number; changed: number }[]>(RECORD, [
      scheduleId,
      results.map(({ addressKey }) => addressKey),
      results.map(({ status }) => status),
      results.map(({ reason }) => reason),
      results.map(({ score }) => score),
      results.map(({ verifiedAt }) => verifiedAt),
      keptDays,
    ]);
    const changed = counts.filter((row) => row.changed > 0).map((row) => [row.status, row.changed] as const);
    const found = counts.reduce((sum, row) => sum + row.new, 0);
    return { new: found, changed: Object.fromEntries(changed) };
  }

  async listDomains(scheduleId: ScheduleId, domains: readonly string[]): Promise<ReadonlyMap<string, Date>> {
    if (domains.length === 0) return new Map();
    const rows = await this.work.manager.query<DomainFinding[]>(DOMAINS, [scheduleId, domains]);
    return new Map(rows.map(({ domain, foundAt }) => [domain, foundAt]));
  }

  async recordDomains(
    scheduleId: ScheduleId,
    findings: readonly DomainFinding[],
    keptDays: number,
  ): Promise<void> {
    if (findings.length === 0) return;
    const domains = findings.map(({ domain }) => domain);
    const times = findings.map(({ foundAt }) => foundAt);
    await this.work.manager.query(RECORD_DOMAINS, [scheduleId, domains, times, keptDays]);
  }

  async forgetDomains(scheduleId: ScheduleId, domains: readonly string[]): Promise<void> {
    if (domains.length > 0) await this.work.manager.query(FORGET_DOMAINS, [scheduleId, domains]);
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
