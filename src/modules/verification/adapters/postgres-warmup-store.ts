import type { PostgresUnitOfWork } from '../../../platform/database/transactions/postgres-unit-of-work.js';
import { purge } from '../../../platform/database/transactions/purge.js';
import {
  MIN_PROBES_TO_VOTE,
  probesLeftFor,
  warmupOn,
  type WarmupDay,
  type WarmupPlan,
  type WarmupVotes,
} from '../../../engine/egress/warmup.js';
import { WarmupStore, type WarmupGrant, type WarmupKey } from '../../../engine/egress/warmup-store.js';

interface StoredDay extends WarmupDay {
  /** Of the clock of the database. */
  today: string;
  ends_in_ms: number;
}

/** After thirty days without probes the ceiling starts again, so the rows are not needed. */
const UNUSED_DAYS = 60;
const DAY_MS = 86_400_000;
const TODAY = "(clock_timestamp() AT TIME ZONE 'UTC')::date";

/** The counters of the installation. The day is that of the database, so that all processes agree. */
export class PostgresWarmupStore extends WarmupStore {
  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly plan: WarmupPlan,
  ) {
    super();
  }

  override acquire(key: WarmupKey, probes: number): Promise<WarmupGrant> {
    return this.work.runInNew(async () => {
      const { manager } = this.work;
      const { today, ends_in_ms: dayEndsInMs, ...stored } = await this.lock(key);
      const day = await this.dayOf(key, stored, today);
      const [team] = await manager.query<{ used: number }[]>(
        `SELECT used FROM egress_warmup_teams
          WHERE egress = $1 AND provider = $2 AND team_id = $3 AND day = $4::date`,
        [key.egress, key.provider, key.team, today],
      );
      const usedByTeam = team?.used ?? 0;
      const granted = Math.min(probes, probesLeftFor(day, usedByTeam, dayEndsInMs / DAY_MS));
      const acquired = { ...day, used: day.used + granted };
      await manager.query(
        'UPDATE egress_warmup SET day = $3, ceiling = $4, used = $5 WHERE egress = $1 AND provider = $2',
        [key.egress, key.provider, acquired.day, acquired.ceiling, acquired.used],
      );
      if (granted > 0 && day.ceiling !== null)
        await manager.query(
          `INSERT INTO egress_warmup_teams AS t (egress, provider, team_id, day, used, rejected)
           VALUES ($1, $2, $3, $4, $5, 0)
           ON CONFLICT (egress, provider, team_id) DO UPDATE
              SET day = $4, used = $5, rejected = CASE WHEN t.day = $4 THEN t.rejected ELSE 0 END`,
          [key.egress, key.provider, key.team, today, usedByTeam + granted],
        );
      return { day: acquired, granted, dayEndsInMs };
    });
  }

  override async returnProbe({ egress, provider, team }: WarmupKey): Promise<void> {
    // The row of the egress is locked before that of the team, as in `take`.
    await this.work.manager.query(
      `WITH returned AS (
         UPDATE egress_warmup w SET used = w.used - 1 FROM egress_warmup_teams t
          WHERE w.egress = $1 AND w.provider = $2 AND w.day = ${TODAY} AND w.used > 0
            AND (t.egress, t.provider, t.day) = (w.egress, w.provider, w.day)
            AND t.team_id = $3 AND t.used > 0
         RETURNING w.day)
       UPDATE egress_warmup_teams t SET used = t.used - 1 FROM returned
        WHERE t.egress = $1 AND t.provider = $2 AND t.team_id = $3 AND t.day = returned.day`,
      [egress, provider, team],
    );
  }

  override async countRejection({ egress, provider, team }: WarmupKey): Promise<void> {
    await this.work.manager.query(
      `UPDATE egress_warmup_teams SET rejected = rejected + 1
        WHERE egress = $1 AND provider = $2 AND team_id = $3 AND day = ${TODAY}`,
      [egress, provider, team],
    );
  }

  override async deleteUnused(): Promise<number> {
    const where = "day < (now() AT TIME ZONE 'UTC')::date - $1::integer";
    const of = (table: string) => purge(this.work, { table, where, orderBy: 'day', values: [UNUSED_DAYS] });
    return (await of('egress_warmup')) + (await of('egress_warmup_teams'));
  }

  override async deleteByTeam(team: string): Promise<number> {
    const sql = 'DELETE FROM egress_warmup_teams WHERE team_id = $1 RETURNING 1';
    const [rows] = await this.work.manager.query<[unknown[], number]>(sql, [team]);
    return rows.length;
  }

  /** The row, created on the first day, and the time after its lock was acquired. */
  private async lock({ egress, provider }: WarmupKey): Promise<StoredDay> {
    const { manager } = this.work;
    const select = () =>
      manager.query<WarmupDay[]>(
        `SELECT day::text AS day, ceiling, used FROM egress_warmup
          WHERE egress = $1 AND provider = $2 FOR UPDATE`,
        [egress, provider],
      );
    let [day] = await select();
    if (day === undefined) {
      await manager.query(
        `INSERT INTO egress_warmup (egress, provider, day, ceiling, used)
         VALUES ($1, $2, ${TODAY}, $3, 0) ON CONFLICT DO NOTHING`,
        [egress, provider, this.startAt(provider)],
      );
      [day] = await select();
    }
    const [now] = await manager.query<Pick<StoredDay, 'today' | 'ends_in_ms'>[]>(
      `SELECT t::date::text AS today,
              ceil(extract(epoch FROM date_trunc('day', t) + interval '1 day' - t) * 1000)::integer AS ends_in_ms
         FROM (SELECT clock_timestamp() AT TIME ZONE 'UTC' AS t) now`,
    );
    if (day === undefined || now === undefined) throw new Error('the row was deleted meanwhile');
    return { ...day, ...now };
  }

  private async dayOf({ egress, provider }: WarmupKey, last: WarmupDay, today: string): Promise<WarmupDay> {
    if (last.day === today) return last;
    const [votes] = await this.work.manager.query<WarmupVotes[]>(
      `SELECT count(*)::integer AS teams, (count(*) FILTER (WHERE rejected > $4::double precision * used))::integer AS rejected
         FROM egress_warmup_teams
        WHERE egress = $1 AND provider = $2 AND day = $3::date AND used >= $5`,
      [egress, provider, last.day, this.plan.maxRejections, MIN_PROBES_TO_VOTE],
    );
    return warmupOn(today, last, votes ?? { teams: 0, rejected: 0 }, this.startAt(provider), this.plan);
  }

  private startAt(provider: string): number {
    return this.plan.starts.get(provider) ?? 0;
  }
}
