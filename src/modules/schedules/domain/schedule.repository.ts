import type { Page, PageRequest } from '../../../kernel/page.js';
import type { TeamId } from '../../../kernel/principal.js';
import type { Schedule, ScheduleId, SourceSecret } from './schedule.js';

export abstract class ScheduleRepository {
  abstract add(schedule: Schedule, secret: SourceSecret): Promise<void>;

  /** @param secret undefined: it stays. */
  abstract save(schedule: Schedule, secret?: SourceSecret): Promise<void>;

  abstract delete(id: ScheduleId): Promise<void>;

  abstract find(id: ScheduleId): Promise<Schedule | null>;

  /** Locked until the open unit of work ends. */
  abstract findForUpdate(id: ScheduleId): Promise<Schedule | null>;

  /** null: it cannot be decrypted. */
  abstract findSecret(id: ScheduleId): Promise<SourceSecret | null>;

  /** Newest first. */
  abstract list(teamId: TeamId, page: PageRequest): Promise<Page<Schedule>>;

  abstract count(teamId: TeamId): Promise<number>;

  /** Some that are due, locked until the open unit of work ends, without those that another process has locked. */
  abstract listDueForUpdate(now: Date): Promise<Schedule[]>;
}
