import type { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import { purge } from '../../../../platform/database/transactions/purge.js';
import {
  warmupTimeAt,
  type WarmupChange,
  type WarmupDay,
  type WarmupTime,
} from '../../../../engine/egress/warmup.js';
import { WarmupStore, type WarmupKey } from '../../../../engine/egress/warmup-store.js';

/** After thirty days without probes the ceiling starts again, so the rows are not needed. */
const UNUSED_DAYS = 60;

/** A new row has the day of `NEVER_USED`. The time is read after the lock is acquired. */
const LOCK = `
  INSERT INTO egress_warmup AS w (egress, provider, day, used) VALUES ($1, $2, 'epoch', 0)
  ON CONFLICT (egress, provider) DO UPDATE SET egress = excluded.egress
  RETURNING w.day::text AS day, w.ceiling, w.used, clock_timestamp() AS now`;
const TEAMS = `
  SELECT coalesce(json_object_agg(team_id, json_build_object('used', used, 'rejected', rejected)), '{}') AS teams
    FROM egress_warmup_teams WHERE egress = $1 AND provider = $2`;
const SAVE = `
  WITH changed AS (
    UPDATE egress_warmup SET day = $3, ceiling = $4, used = $5 WHERE egress = $1 AND provider = $2),
  deleted AS (
    DELETE FROM egress_warmup_teams WHERE egress = $1 AND provider = $2 AND team_id = ANY ($6::text[]))
  INSERT INTO egress_warmup_teams (egress, provider, team_id, used, rejected)
  SELECT $1, $2, t.key, (t.value->>'used')::integer, (t.value->>'rejected')::integer FROM jsonb_each($7) t
  ON CONFLICT (egress, provider, team_id) DO UPDATE SET used = excluded.used, rejected = excluded.rejected`;

/** The counters of the installation. The day is that of the database, so that all processes agree. */
export class PostgresWarmupStore extends WarmupStore {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  override change(
    { egress, provider }: WarmupKey,
    next: (last: WarmupDay, time: WarmupTime) => WarmupChange,
  ): Promise<WarmupChange> {
    return this.work.runInNew(async () => {
      const { manager } = this.work;
      const key = [egress, provider];
      const [row] = await manager.query<[Omit<WarmupDay, 'teams'> & { now: Date }]>(LOCK, key);
      const [{ teams }] = await manager.query<[Pick<WarmupDay, 'teams'>]>(TEAMS, key);
      const { now, ...last } = row;
      const change = next({ ...last, teams }, warmupTimeAt(now));
      const { day } = change;
      const deleted = Object.keys(teams).filter((team) => day.teams[team] === undefined);
      const changed = Object.entries(day.teams).filter(([team, probes]) => probes !== teams[team]);
      const values = [day.day, day.ceiling, day.used, deleted, Object.fromEntries(changed)];
      await manager.query(SAVE, [...key, ...values]);
      return change;
    });
  }

  override async deleteUnused(): Promise<number> {
    const unused = "day < (now() AT TIME ZONE 'UTC')::date - $1::integer";
    const ofTeams = await purge(this.work, {
      table: 'egress_warmup_teams',
      where: `(egress, provider) IN (SELECT egress, provider FROM egress_warmup WHERE ${unused})`,
      orderBy: 'egress, provider, team_id',
      values: [UNUSED_DAYS],
    });
    const ofEgresses = await purge(this.work, {
      table: 'egress_warmup',
      where: `${unused} AND (egress, provider) NOT IN (SELECT egress, provider FROM egress_warmup_teams)`,
      orderBy: 'egress, provider',
      values: [UNUSED_DAYS],
    });
    return ofTeams + ofEgresses;
  }

  override async deleteByTeam(team: string): Promise<number> {
    const sql = 'DELETE FROM egress_warmup_teams WHERE team_id = $1 RETURNING 1';
    const [rows] = await this.work.manager.query<[unknown[], number]>(sql, [team]);
    return rows.length;
  }
}
