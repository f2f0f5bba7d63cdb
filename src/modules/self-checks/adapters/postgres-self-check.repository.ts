import { Injectable } from '@nestjs/common';
import { MoreThanOrEqual } from 'typeorm';
import { PostgresUnitOfWork } from '../../../platform/database/transactions/postgres-unit-of-work.js';
import { BY_SEVERITY, type SelfCheck, type SelfCheckDay } from '../domain/self-check.js';
import { SelfCheckRepository } from '../domain/self-check.repository.js';
import { SelfCheckDaySchema, SelfCheckSchema } from './postgres-self-check.schema.js';

/** Until it is released the run stays due, so that another process makes it when this one dies. */
const CLAIM = `
  INSERT INTO self_check_runs AS r (started_at, leased_until, due_at) VALUES ($1, $3, $1)
  ON CONFLICT (id) DO UPDATE SET started_at = $1, leased_until = $3, due_at = $1
   WHERE r.leased_until <= $1 AND (r.due_at <= $1 OR r.started_at < $2)
  RETURNING 1`;

const RELEASE = `
  WITH released AS (
    UPDATE self_check_runs SET leased_until = $2, due_at = $3 WHERE started_at = $1 RETURNING 1)
  SELECT 1 FROM released`;

const RANK = (status: string) =>
  `array_position(ARRAY[${BY_SEVERITY.map((one) => `'${one}'`).join(', ')}], ${status})`;

const SAVE_DAYS = `
  INSERT INTO self_check_days AS d (day, name, egress, status, detail)
  SELECT (checked_at AT TIME ZONE 'UTC')::date, name, egress, status, detail FROM self_checks
  ON CONFLICT (day, name, egress) DO UPDATE SET status = excluded.status, detail = excluded.detail
   WHERE ${RANK('excluded.status')} > ${RANK('d.status')}`;

@Injectable()
export class PostgresSelfCheckRepository extends SelfCheckRepository {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  async claim(now: Date, processStartedAt: Date, leasedUntil: Date): Promise<boolean> {
    const values = [now, processStartedAt, leasedUntil];
    return (await this.work.manager.query<unknown[]>(CLAIM, values)).length > 0;
  }

  async release(startedAt: Date, now: Date, dueAt: Date): Promise<boolean> {
    return (await this.work.manager.query<unknown[]>(RELEASE, [startedAt, now, dueAt])).length > 0;
  }

  list(): Promise<SelfCheck[]> {
    return this.work.manager.getRepository(SelfCheckSchema).find({ order: { egress: 'ASC', name: 'ASC' } });
  }

  async saveAll(checks: readonly SelfCheck[]): Promise<void> {
    const rows = this.work.manager.getRepository(SelfCheckSchema);
    await rows.deleteAll();
    await rows.insert([...checks]);
    await this.work.manager.query(SAVE_DAYS);
  }

  listDays(since: string): Promise<SelfCheckDay[]> {
    const order = { day: 'ASC', egress: 'ASC', name: 'ASC' } as const;
    const where = { day: MoreThanOrEqual(since) };
    return this.work.manager.getRepository(SelfCheckDaySchema).find({ where, order });
  }
}
