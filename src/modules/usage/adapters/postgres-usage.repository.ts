import type { DataSource, EntityManager } from 'typeorm';
import type { TeamId } from '../../../kernel/language.js';
import type { PostgresUnitOfWork } from '../../../platform/database/postgres-unit-of-work.js';
import { purge } from '../../../platform/database/purge.js';
import { COUNTED } from '../domain/counts.js';
import type { Batch, Lease } from '../domain/lease.js';
import type { Mark, Standing } from '../domain/quota.js';
import {
  UsageRepository,
  type DayCounts,
  type Grant,
  type Today,
  type Wanted,
} from '../domain/usage.repository.js';

/** A process that has not been heard of for so long is dead. */
const LEASE_LIFE = `interval '60 seconds'`;

const SECONDS_LEFT = `extract(epoch FROM ((rcpt_today() + 1)::timestamp AT TIME ZONE 'UTC') - now())::float8`;

/**
 * The one form of the upsert that holds: a condition on the update alone would
 * let the first insert of a day through, whatever it asks for. Both ways in are
 * guarded; no row means refused.
 *
 * $1 team, $2 units, $3 units that must remain, $4 limit or null
 */
const GRANTED = (source: string) => `
  granted AS (
    INSERT INTO quota_days AS d (team_id, day, reserved)
    SELECT $1, today.day, $2::integer FROM ${source}
     WHERE $4::integer IS NULL OR $3::integer <= $4
    ON CONFLICT (team_id, day) DO UPDATE SET reserved = d.reserved + excluded.reserved
     WHERE $4::integer IS NULL OR d.used + d.reserved + $3 <= $4
    RETURNING d.*
  )`;

const GRANT_ANSWER = `
  SELECT today.day::text, ${SECONDS_LEFT} AS "secondsLeft", granted.day IS NOT NULL AS granted,
         coalesce(granted.used, d.used, 0) AS used, coalesce(granted.reserved, d.reserved, 0) AS reserved,
         coalesce(granted.warned, d.warned, false) AS warned,
         coalesce(granted.exceeded, d.exceeded, false) AS exceeded
    FROM today LEFT JOIN granted ON true
    LEFT JOIN quota_days d ON d.team_id = $1 AND d.day = today.day`;

const RESERVE = `WITH today AS (SELECT rcpt_today() AS day), ${GRANTED('today')} ${GRANT_ANSWER}`;

/** The lease is locked before the day, here as everywhere: so nobody waits for each other in a circle. */
const LEASE = `
  WITH today AS (SELECT rcpt_today() AS day),
  mine AS (
    SELECT 1 FROM quota_leases l JOIN today USING (day) WHERE l.id = $5 FOR UPDATE OF l
  ),
  ${GRANTED('today LEFT JOIN mine ON true')},
  held AS (
    INSERT INTO quota_leases AS l (id, day, team_id, units, expires_at)
    SELECT $5, day, $1, $2, now() + ${LEASE_LIFE} FROM granted
    ON CONFLICT (id, day) DO UPDATE
      SET units = l.units + excluded.units, expires_at = excluded.expires_at
  )
  ${GRANT_ANSWER}`;

const INCREMENTS = COUNTED.map((what) => `${what} = u.${what} + excluded.${what}`).join(', ');
const RECORD = COUNTED.map((what) => `${what} integer`).join(', ');

/** After the day's row, so that nobody else counts for this team meanwhile. $3 is a JSON array of counts by account. */
const COUNTED_ROWS = `
  counted AS (
    INSERT INTO usage_days AS u (team_id, day, account, ${COUNTED.join(', ')})
    SELECT settled.team_id, settled.day, c.account, ${COUNTED.map((what) => `c.${what}`).join(', ')}
      FROM settled, jsonb_to_recordset($3::jsonb) AS c (account text, ${RECORD})
    ON CONFLICT (team_id, day, account) DO UPDATE SET ${INCREMENTS}
  )`;

const STANDING = 'day::text, used, reserved, warned, exceeded';

/** $1 used, $2 released, $3 counts, $4 lease, $5 its day, $6 turns told before */
const SETTLE_LEASE = `
  WITH lease AS (
    UPDATE quota_leases SET units = units - $2, turns = turns + 1, expires_at = now() + ${LEASE_LIFE}
     WHERE id = $4 AND day = $5 AND turns = $6 AND units >= $2
    RETURNING team_id, day
  ), settled AS (
    UPDATE quota_days d SET used = d.used + $1, reserved = d.reserved - $2
      FROM lease WHERE (d.team_id, d.day) = (lease.team_id, lease.day)
    RETURNING d.*
  ), ${COUNTED_ROWS}
  SELECT ${STANDING} FROM settled`;

/** $1 lease, $2 its day, $3 turns told */
const TOLD = `
  SELECT ${STANDING} FROM quota_leases JOIN quota_days USING (team_id, day)
   WHERE id = $1 AND day = $2 AND turns = $3`;

/** $1 used, $2 released, $3 counts, $4 team, $5 day */
const SETTLE = `
  WITH settled AS (
    INSERT INTO quota_days AS d (team_id, day, used, reserved) VALUES ($4, $5, $1, 0)
    ON CONFLICT (team_id, day) DO UPDATE SET used = d.used + $1, reserved = d.reserved - $2
    RETURNING d.*
  ), ${COUNTED_ROWS}
  SELECT ${STANDING} FROM settled`;

/** One at a time: two sweeps that each closed several could wait for each other. */
const CLOSE_EXPIRED = `
  WITH expired AS (
    SELECT id, day FROM quota_leases WHERE expires_at <= now() ORDER BY expires_at LIMIT 1
       FOR UPDATE SKIP LOCKED
  ), closed AS (
    DELETE FROM quota_leases l USING expired WHERE (l.id, l.day) = (expired.id, expired.day)
    RETURNING l.team_id, l.day, l.units
  ), settled AS (
    UPDATE quota_days d SET used = d.used + closed.units, reserved = d.reserved - closed.units
      FROM closed WHERE (d.team_id, d.day) = (closed.team_id, closed.day)
  )
  SELECT 1 FROM closed`;

const TODAY = `
  SELECT today.day::text, ${SECONDS_LEFT} AS "secondsLeft", coalesce(used, 0) AS used,
         coalesce(reserved, 0) AS reserved, coalesce(warned, false) AS warned,
         coalesce(exceeded, false) AS exceeded
    FROM (SELECT rcpt_today() AS day) today
    LEFT JOIN quota_days d ON d.team_id = $1 AND d.day = today.day`;

const HISTORY = `
  SELECT (today.day - ago)::text AS date,
         ${COUNTED.map((what) => `coalesce(sum(u.${what}), 0)::integer AS ${what}`).join(', ')}
    FROM (SELECT rcpt_today() AS day) today
    CROSS JOIN generate_series(0, $3::integer - 1) AS ago
    LEFT JOIN usage_days u
      ON u.team_id = $1 AND u.day = today.day - ago AND ($2::text IS NULL OR u.account = $2)
   GROUP BY today.day, ago ORDER BY ago`;

export class PostgresUsageRepository extends UsageRepository {
  /**
   * @param dataSource for what must hold whatever becomes of the unit of work that
   *   happens to be open: a process that believes in a lease which was rolled back
   *   would give away units it does not have.
   */
  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly dataSource: DataSource,
  ) {
    super();
  }

  lease(id: string, wanted: Wanted): Promise<Grant> {
    return one(this.dataSource.manager, LEASE, [...parameters(wanted), id]);
  }

  async settleLease({ id, day, turns }: Lease, batch: Batch): Promise<Standing | null> {
    const { manager } = this.dataSource;
    const told = [batch.used, batch.released, JSON.stringify(batch.counts), id, day, turns];
    const [settled] = await manager.query<Standing[]>(SETTLE_LEASE, told);
    if (settled !== undefined) return settled;
    const [arrivedBefore] = await manager.query<Standing[]>(TOLD, [id, day, turns + 1]);
    return arrivedBefore ?? null;
  }

  async closeExpiredLease(): Promise<boolean> {
    const closed = await this.dataSource.manager.query<unknown[]>(CLOSE_EXPIRED);
    return closed.length > 0;
  }

  reserve(wanted: Wanted): Promise<Grant> {
    return one(this.work.manager, RESERVE, parameters(wanted));
  }

  settle(teamId: TeamId, day: string, { used, released, counts }: Batch): Promise<Standing> {
    return one(this.work.manager, SETTLE, [used, released, JSON.stringify(counts), teamId, day]);
  }

  async mark(teamId: TeamId, day: string, mark: Mark): Promise<boolean> {
    const first = await this.work.manager.query<unknown[]>(
      `WITH first AS (
         UPDATE quota_days SET ${mark} = true WHERE team_id = $1 AND day = $2 AND NOT ${mark} RETURNING 1
       ) SELECT 1 FROM first`,
      [teamId, day],
    );
    return first.length > 0;
  }

  today(teamId: TeamId): Promise<Today> {
    return one(this.dataSource.manager, TODAY, [teamId]);
  }

  history(teamId: TeamId, account: string | null, days: number): Promise<DayCounts[]> {
    return this.work.manager.query<DayCounts[]>(HISTORY, [teamId, account, days]);
  }

  async deleteOlderThan(days: number): Promise<number> {
    const where = 'day < rcpt_today() - $1::integer';
    let deleted = 0;
    for (const table of ['usage_days', 'quota_days'])
      deleted += await purge(this.work, { table, where, orderBy: 'day', values: [days] });
    return deleted;
  }
}

function parameters({ teamId, units, remaining, limit }: Wanted): unknown[] {
  return [teamId, units, remaining, limit];
}

async function one<Row>(manager: EntityManager, statement: string, values: unknown[]): Promise<Row> {
  const [row] = await manager.query<Row[]>(statement, values);
  if (row === undefined) throw new Error('A statement that always answers did not');
  return row;
}
