import { Injectable } from '@nestjs/common';
import { isId } from '../../../../kernel/ids.js';
import type { Page, PageRequest } from '../../../../kernel/page.js';
import type { TeamId } from '../../../../kernel/principal.js';
import { keysetPage } from '../../../../platform/database/transactions/keyset-page.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import { SecretKeys } from '../../../../platform/secrets/secret-keys.js';
import { placeOf, Schedule, type ScheduleId, type SourceSecret } from '../domain/schedule.js';
import { ScheduleRepository } from '../domain/schedule.repository.js';
import type { ScheduleRow } from './postgres-schedule.schema.js';

/** Schedules that one transaction starts. */
const STARTED_AT_ONCE = 100;

@Injectable()
export class PostgresScheduleRepository extends ScheduleRepository {
  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly keys: SecretKeys,
  ) {
    super();
  }

  async add(schedule: Schedule, secret: SourceSecret | null): Promise<void> {
    await this.work.manager.insert<ScheduleRow>(Schedule, {
      ...schedule,
      secret: this.seal(secret),
    });
  }

  async save(schedule: Schedule, secret: SourceSecret | null = null): Promise<void> {
    const { id, ...row } = schedule;
    const isKept = secret === null && schedule.secretPlace !== null;
    const sealed = isKept ? {} : { secret: this.seal(secret) };
    await this.work.manager.update<ScheduleRow>(Schedule, { id }, { ...row, ...sealed });
  }

  async delete(id: ScheduleId): Promise<void> {
    await this.work.manager.delete(Schedule, { id });
  }

  async find(id: ScheduleId): Promise<Schedule | null> {
    return isId('sch', id) ? this.work.manager.findOneBy(Schedule, { id }) : null;
  }

  async findForUpdate(id: ScheduleId): Promise<Schedule | null> {
    if (!isId('sch', id)) return null;
    return this.select().where('schedule.id = :id', { id }).setLock('for_no_key_update').getOne();
  }

  async findSecret(schedule: Schedule): Promise<SourceSecret | null> {
    if (schedule.secretPlace === null) return { place: placeOf(schedule.source), values: {} };
    const { id } = schedule;
    const row = await this.select().addSelect('schedule.secret').where('schedule.id = :id', { id }).getOne();
    const sealed = (row as ScheduleRow | null)?.secret ?? null;
    try {
      const secret = JSON.parse(this.keys.decrypt(sealed ?? '')) as SourceSecret;
      return schedule.ownsSecret(secret) ? secret : null;
    } catch {
      return null;
    }
  }

  list(teamId: TeamId, page: PageRequest): Promise<Page<Schedule>> {
    return keysetPage(this.select().where('schedule.teamId = :teamId', { teamId }), page);
  }

  count(teamId: TeamId): Promise<number> {
    return this.work.manager.countBy(Schedule, { teamId });
  }

  listDueForUpdate(now: Date): Promise<Schedule[]> {
    return this.select()
      .where('schedule.enabled AND schedule.nextRunAt <= :now', { now })
      .orderBy('schedule.nextRunAt')
      .limit(STARTED_AT_ONCE)
      .setLock('for_no_key_update')
      .setOnLocked('skip_locked')
      .getMany();
  }

  private select() {
    return this.work.manager.createQueryBuilder(Schedule, 'schedule');
  }

  private seal(secret: SourceSecret | null): string | null {
    const isEmpty = Object.keys(secret?.values ?? {}).length === 0;
    return isEmpty ? null : this.keys.encrypt(JSON.stringify(secret));
  }
}
