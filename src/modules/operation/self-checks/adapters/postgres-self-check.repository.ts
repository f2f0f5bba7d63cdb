import { Injectable } from '@nestjs/common';
import { MoreThanOrEqual } from 'typeorm';
import { FREE, leasedFor } from '../../../../platform/database/transactions/claims.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import { BY_SEVERITY, type SelfCheck, type SelfCheckDay } from '../domain/self-check.js';
import { SelfCheckRepository } from '../domain/self-check.repository.js';
import { SelfCheckDaySchema, SelfCheckSchema } from './postgres-self-check.schema.js';

/** Longer than a run takes. */
const LEASE_SECONDS = 120;

/** Until it is released the run stays due, so that another process makes it when this one dies. */
const CLAIM = `
  INSERT INTO self_check_runs AS r (started_at, leased_until, due_at) VALUES ($1, ${leasedFor(LEASE_SECONDS)}, $1)
  ON CONFLICT (id) DO UPDATE SET started_at = $1, leased_until = excluded.leased_until, due_at = $1
   WHERE r.${FREE} AND (r.due_at <= $1 OR r.started_at < $2)
  RETURNING 1`;

const RELEASE = 'UPDATE self_check_runs SET leased_until = now(), due_at = $2 WHERE started_at = $1';

const RANK = (status: string) =>
  `array_position(ARRAY[${BY_SEVERITY.map((one) => `'${one}'`).join(', ')}], ${status})`;

const SAVE_DAYS = `
  INSERT INTO self_check_days AS d (day, name, egress, status, detail, findings, remedy)
  SELECT (checked_at AT TIME ZONE 'UTC')::date, name, egress, status, detail, findings, remedy FROM self_checks
  ON CONFLICT (day, name, egress)
  DO UPDATE SET status = excluded.status, detail = excluded.detail, findings = excluded.findings,
    remedy = excluded.remedy
   WHERE ${RANK('excluded.status')} > ${RANK('d.status')}`;

@Injectable()
export class PostgresSelfCheckRepository extends SelfCheckRepository {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  async claim(now: Date, processStartedAt: Date): Promise<boolean> {
    return (await this.work.manager.query<unknown[]>(CLAIM, [now, processStartedAt])).length > 0;
  }

  async release(startedAt: Date, dueAt: Date): Promise<boolean> {
    const [, count] = await this.work.manager.query<[unknown, number]>(RELEASE, [startedAt, dueAt]);
    return count > 0;
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
