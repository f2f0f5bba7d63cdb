import type { PostgresUnitOfWork } from '../../../platform/database/postgres-unit-of-work.js';
import { purge } from '../../../platform/database/purge.js';
import {
  takeBlock,
  type BlockRequest,
  type TeamDivision,
  type WarmupDay,
  type WarmupPlan,
} from '../domain/warmup.js';
import { WarmupStore, type WarmupBlock, type WarmupKey } from '../domain/warmup-store.js';

interface TodayRow {
  today: string;
  ends_in_ms: number;
}

/** After this time without probes the ceiling starts again, so the row is not needed. */
const UNUSED_DAYS = 60;
/** Teams that sent probes today or yesterday have a share. */
const DIVIDED_DAYS = 1;
const DAY_MS = 86_400_000;

/** The counters of the installation. The day is that of the database, so that all processes agree. */
export class PostgresWarmupStore extends WarmupStore {
  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly plan: WarmupPlan,
  ) {
    super();
  }

  override exchange(key: WarmupKey, request: BlockRequest): Promise<WarmupBlock> {
    const start = this.plan.starts.get(key.provider) ?? 0;
    return this.work.runInNew(async () => {
      const { day: stored, today, ends_in_ms: dayEndsInMs } = await this.lock(key, start);
      const division = { ...(await this.divisionOf(key, today)), dayLeft: dayEndsInMs / DAY_MS };
      const taken = takeBlock(stored, request, { today, start, plan: this.plan, division });
      const { day, ceiling, used, refused } = taken.day;
      await this.work.manager.query(
        'UPDATE egress_warmup SET day = $3, ceiling = $4, used = $5, refused = $6 WHERE egress = $1 AND provider = $2',
        [key.egress, key.provider, day, ceiling, used, refused],
      );
      await this.work.manager.query(
        `INSERT INTO egress_warmup_teams (egress, provider, team_id, day, used) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (egress, provider, team_id) DO UPDATE SET day = $4, used = $5`,
        [key.egress, key.provider, key.team, today, taken.mine],
      );
      return { day: taken.day, granted: taken.granted, dayEndsInMs };
    });
  }

  override async deleteUnused(): Promise<number> {
    const where = "day < (now() AT TIME ZONE 'UTC')::date - $1::integer";
    const of = (table: string, days: number) =>
      purge(this.work, { table, where, orderBy: 'day', values: [days] });
    return (await of('egress_warmup', UNUSED_DAYS)) + (await of('egress_warmup_teams', DIVIDED_DAYS));
  }

  /** The probes of the team and of the others. The row of the egress and the provider is locked. */
  private async divisionOf(key: WarmupKey, today: string): Promise<Omit<TeamDivision, 'dayLeft'>> {
    const rows = await this.work.manager.query<{ is_mine: boolean; used: number }[]>(
      `SELECT team_id = $3 AS is_mine, CASE WHEN day = $4::date THEN used ELSE 0 END AS used
         FROM egress_warmup_teams
        WHERE egress = $1 AND provider = $2 AND day >= $4::date - $5::integer`,
      [key.egress, key.provider, key.team, today, DIVIDED_DAYS],
    );
    return {
      mine: rows.find((row) => row.is_mine)?.used ?? 0,
      others: rows.filter((row) => !row.is_mine).map(({ used }) => used),
    };
  }

  /** The row, created on the first day, and the time after its lock was acquired. */
  private async lock({ egress, provider }: WarmupKey, start: number): Promise<TodayRow & { day: WarmupDay }> {
    const { manager } = this.work;
    await manager.query(
      `INSERT INTO egress_warmup (egress, provider, day, ceiling, used, refused)
       VALUES ($1, $2, (clock_timestamp() AT TIME ZONE 'UTC')::date, $3, 0, 0) ON CONFLICT DO NOTHING`,
      [egress, provider, start],
    );
    const [day] = await manager.query<WarmupDay[]>(
      `SELECT day::text AS day, ceiling, used, refused FROM egress_warmup
        WHERE egress = $1 AND provider = $2 FOR UPDATE`,
      [egress, provider],
    );
    const [now] = await manager.query<TodayRow[]>(
      `SELECT t::date::text AS today,
              ceil(extract(epoch FROM date_trunc('day', t) + interval '1 day' - t) * 1000)::integer AS ends_in_ms
         FROM (SELECT clock_timestamp() AT TIME ZONE 'UTC' AS t) now`,
    );
    if (day === undefined || now === undefined) throw new Error('the row was deleted meanwhile');
    return { ...now, day };
  }
}
