import type { PostgresUnitOfWork } from '../../../platform/database/postgres-unit-of-work.js';
import { takeBlock, type BlockRequest, type WarmupDay, type WarmupPlan } from '../domain/warmup.js';
import { WarmupStore, type WarmupBlock, type WarmupKey } from '../domain/warmup-store.js';

interface TodayRow {
  today: string;
  ends_in_ms: number;
}

/** An egress that rested so long begins anew, so its row is of no use. */
const UNUSED_DAYS = 60;

/** The counters of the installation. The day is the database's, so that clocks of processes do not matter. */
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
      const taken = takeBlock(stored, request, { today, start, plan: this.plan });
      const { day, ceiling, used, refused } = taken.day;
      await this.work.manager.query(
        'UPDATE egress_warmup SET day = $3, ceiling = $4, used = $5, refused = $6 WHERE egress = $1 AND provider = $2',
        [key.egress, key.provider, day, ceiling, used, refused],
      );
      return { ...taken, dayEndsInMs };
    });
  }

  override async deleteUnused(): Promise<number> {
    const deleted = await this.work.manager.query<unknown[]>(
      `WITH unused AS (
         DELETE FROM egress_warmup WHERE day < (now() AT TIME ZONE 'UTC')::date - $1::integer RETURNING 1)
       SELECT 1 FROM unused`,
      [UNUSED_DAYS],
    );
    return deleted.length;
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
