import type { Page, PageRequest } from '../../../kernel/page.js';
import type { TeamId } from '../../../kernel/principal.js';
import { RunFailure } from './failure.js';
import type { Schedule, ScheduleId, SourceSecret } from './schedule.js';
import { LeaseLost } from './schedule-run.js';

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

/** A schedule, for a run. @throws LeaseLost when it was deleted; RunFailure when its secret cannot be decrypted. */
export async function openSchedule(
  schedules: ScheduleRepository,
  id: ScheduleId,
): Promise<{ schedule: Schedule; secret: SourceSecret }> {
  const schedule = await schedules.find(id);
  // Its runs are deleted too.
  if (schedule === null) throw new LeaseLost();
  const secret = await schedules.findSecret(id);
  if (secret === null) throw new RunFailure('secret_unreadable');
  return { schedule, secret };
}
