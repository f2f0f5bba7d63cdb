import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../../../kernel/clock.js';
import type { TeamId } from '../../../../kernel/principal.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import { TtlCache } from '../../../../platform/memory/ttl-cache.js';
import { COUNTED, type AccountCounts, type Counts } from '../domain/charge.js';
import type { Threshold, QuotaStatus } from '../domain/quota.js';
import {
  UsageRepository,
  type DayCounts,
  type Grant,
  type UsageRequest,
  type ReservedCharge,
  type Today,
} from '../domain/usage.repository.js';

const MAX_CACHED_TEAMS = 10_000;
/** A team may have that many valid keys. */
const MAX_KEYS = 100;

const TODAY = '(SELECT rcpt_today() AS day) today';
const SECONDS_LEFT = `extract(epoch FROM ((rcpt_today() + 1)::timestamp AT TIME ZONE 'UTC') - now())::float8`;
const STATUS_COLUMNS = 'day::text, used, reserved, publishable, warned, exceeded';

const INCREMENTS = COUNTED.map((what) => `${what} = u.${what} + excluded.${what}`).join(', ');
const RECORD = COUNTED.map((what) => `${what} integer`).join(', ');

/** After the day's row is locked, so that no other transaction counts for this team. $1 is a JSON array of counts by account. */
const COUNTED_ROWS = `
  counted AS (
    INSERT INTO usage_days AS u (team_id, day, account, ${COUNTED.join(', ')})
    SELECT changed.team_id, changed.day, c.account, ${COUNTED.map((what) => `c.${what}`).join(', ')}
      FROM changed, jsonb_to_recordset($1::jsonb) AS c (account text, ${RECORD})
    ON CONFLICT (team_id, day, account) DO UPDATE SET ${INCREMENTS}
  )`;

/**
 * A condition on the update alone would accept any first insert of a day. Insert and update both have
 * the condition; no row means that the charge is refused.
 *
 * $1 counts, $2 team, $3 used, $4 reserved, $5 limit or null, $6 limit of publishable keys or null
 */
const GRANT = `
  WITH changed AS (
    INSERT INTO quota_days AS d (team_id, day, used, reserved, publishable)
    SELECT $2, day, $3::integer, $4::integer, CASE WHEN $6::integer IS NULL THEN 0 ELSE $3 + $4 END FROM ${TODAY}
     WHERE $3 + $4 = 0 OR (($5::integer IS NULL OR $3 + $4 <= $5) AND ($6::integer IS NULL OR $3 + $4 <= $6))
    ON CONFLICT (team_id, day) DO UPDATE
      SET used = d.used + excluded.used, reserved = d.reserved + excluded.reserved,
          publishable = d.publishable + excluded.publishable
      WHERE $3 + $4 = 0 OR (($5::integer IS NULL OR d.used + d.reserved <= $5 - $3 - $4)
                            AND ($6::integer IS NULL OR d.publishable <= $6 - $3 - $4))
    RETURNING d.*
  ), ${COUNTED_ROWS}
  SELECT today.day::text, ${SECONDS_LEFT} AS "secondsLeft", changed.day IS NOT NULL AS granted,
         coalesce(changed.used, d.used, 0) AS used, coalesce(changed.reserved, d.reserved, 0) AS reserved,
         coalesce(changed.publishable, d.publishable, 0) AS publishable,
         coalesce(changed.warned, d.warned, false) AS warned,
         coalesce(changed.exceeded, d.exceeded, false) AS exceeded
    FROM ${TODAY} LEFT JOIN changed ON true
    LEFT JOIN quota_days d ON d.team_id = $2 AND d.day = today.day`;

/** $1 counts, $2 team, $3 day, $4 used, $5 released, $6 returned by a publishable key */
const CHARGE_RESERVED = `
  WITH changed AS (
    INSERT INTO quota_days AS d (team_id, day, used, reserved) VALUES ($2, $3, $4, 0)
    ON CONFLICT (team_id, day) DO UPDATE
      SET used = d.used + $4, reserved = d.reserved - $5, publishable = d.publishable - $6::integer
    RETURNING d.*
  ), ${COUNTED_ROWS}
  SELECT ${STATUS_COLUMNS} FROM changed`;

const STATUS_TODAY = `
  SELECT today.day::text, ${SECONDS_LEFT} AS "secondsLeft", coalesce(used, 0) AS used,
         coalesce(reserved, 0) AS reserved, coalesce(publishable, 0) AS publishable, coalesce(warned, false) AS warned,
         coalesce(exceeded, false) AS exceeded
    FROM ${TODAY} LEFT JOIN quota_days d ON d.team_id = $1 AND d.day = today.day`;

const SUMS = COUNTED.map((what) => `coalesce(sum(u.${what}), 0)::integer AS ${what}`).join(', ');

/** One statement, so that used and counted units are consistent. */
const USAGE_TODAY = `
  SELECT status.*, counts.* FROM (${STATUS_TODAY}) status
    CROSS JOIN LATERAL (
      SELECT ${SUMS} FROM usage_days u WHERE u.team_id = $1 AND u.day = status.day::date
    ) counts`;

/** Accounts that are keys, the most used first. */
const KEYS_OF_DAY = `
  SELECT account, ${COUNTED.join(', ')} FROM usage_days
   WHERE team_id = $1 AND day = $2::date AND account LIKE 'key\\_%'
   ORDER BY single + bulk DESC, account LIMIT ${MAX_KEYS}`;

const HISTORY = `
  SELECT (today.day - ago)::text AS date, ${SUMS}
    FROM ${TODAY}
    CROSS JOIN generate_series(0, $3::integer - 1) AS ago
    LEFT JOIN usage_days u
      ON u.team_id = $1 AND u.day = today.day - ago AND ($2::text IS NULL OR u.account = $2)
   GROUP BY today.day, ago ORDER BY ago`;

type TodayRow = QuotaStatus & { secondsLeft: number };

/** Uses SQL for speed: each call is charged here, by one statement that checks, counts and returns the quota. */
@Injectable()
export class PostgresUsageRepository extends UsageRepository {
  private readonly cache: TtlCache<Today>;

  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly clock: Clock,
  ) {
    super();
    this.cache = new TtlCache(clock, MAX_CACHED_TEAMS);
  }

  async reserve(request: UsageRequest): Promise<Grant> {
    const grant = await this.grantWith(this.work.manager, request);
    this.work.afterCommit(() => this.cache.set(request.teamId, grant, grant.readAtMs));
    return grant;
  }

  async charge(request: UsageRequest): Promise<Grant> {
    const grant = await this.grantWith(this.work.pool, request);
    this.cache.set(request.teamId, grant, grant.readAtMs);
    return grant;
  }

  chargeReserved({ teamId, day, used, released, returned, counts }: ReservedCharge): Promise<QuotaStatus> {
    return one(this.work.manager, CHARGE_RESERVED, [
      JSON.stringify(counts),
      teamId,
      day,
      used,
      released,
      returned,
    ]);
  }

  async markReported(teamId: TeamId, day: string, threshold: Threshold): Promise<boolean> {
    const first = await this.work.manager.query<unknown[]>(
      `WITH first AS (
         UPDATE quota_days SET ${threshold} = true WHERE team_id = $1 AND day = $2 AND NOT ${threshold} RETURNING 1
       ) SELECT 1 FROM first`,
      [teamId, day],
    );
    return first.length > 0;
  }

  async getCached(teamId: TeamId): Promise<Today> {
    const read = () => this.readToday(teamId);
    const today = await this.cache.get(teamId, read);
    if (this.clock.monotonicMs() < today.endsAtMs) return today;
    this.cache.delete(teamId);
    return this.cache.get(teamId, read);
  }

  findCached(teamId: TeamId): Today | null {
    return this.cache.peek(teamId) ?? null;
  }

  async getToday(teamId: TeamId): Promise<QuotaStatus & { counts: Counts }> {
    const row = await one<QuotaStatus & Counts>(this.work.manager, USAGE_TODAY, [teamId]);
    return { ...row, counts: row };
  }

  listKeysOfDay(teamId: TeamId, day: string): Promise<AccountCounts[]> {
    return this.work.manager.query<AccountCounts[]>(KEYS_OF_DAY, [teamId, day]);
  }

  listHistory(teamId: TeamId, account: string | null, days: number): Promise<DayCounts[]> {
    return this.work.manager.query<DayCounts[]>(HISTORY, [teamId, account, days]);
  }

  private async grantWith(
    manager: EntityManager,
    { teamId, used, reserved, limit, share, counts }: UsageRequest,
  ): Promise<Grant> {
    const readAtMs = this.clock.monotonicMs();
    const values = [JSON.stringify(counts), teamId, used, reserved, limit, share];
    return dated(await one<TodayRow & { granted: boolean }>(manager, GRANT, values), readAtMs);
  }

  private async readToday(teamId: TeamId): Promise<Today> {
    const readAtMs = this.clock.monotonicMs();
    return dated(await one<TodayRow>(this.work.manager, STATUS_TODAY, [teamId]), readAtMs);
  }
}

function dated<Row extends TodayRow>({ secondsLeft, ...row }: Row, readAtMs: number) {
  return { ...row, readAtMs, endsAtMs: readAtMs + secondsLeft * 1000 };
}

async function one<Row>(manager: EntityManager, statement: string, values: unknown[]): Promise<Row> {
  const [row] = await manager.query<Row[]>(statement, values);
  if (row === undefined) throw new Error('A statement that always returns a row returned none');
  return row;
}
