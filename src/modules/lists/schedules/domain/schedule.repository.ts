import type { Page, PageRequest } from '../../../../kernel/page.js';
import type { TeamId } from '../../../../kernel/principal.js';
import { UnitDeleted } from '../../../../kernel/queue/team-work.js';
import { RunFailure } from './failure.js';
import type { Schedule, ScheduleId, SourceSecret } from './schedule.js';

export abstract class ScheduleRepository {
  abstract add(schedule: Schedule, secret: SourceSecret | null): Promise<void>;

  /** A secret that the schedule does not have any more is deleted. @param secret null: the stored one. */
  abstract save(schedule: Schedule, secret?: SourceSecret | null): Promise<void>;

  abstract delete(id: ScheduleId): Promise<void>;

  abstract find(id: ScheduleId): Promise<Schedule | null>;

  /** Locked until the open unit of work ends. */
  abstract findForUpdate(id: ScheduleId): Promise<Schedule | null>;

  /** An empty one, if it has none; null: it cannot be decrypted, or was entered for another source. */
  abstract findSecret(schedule: Schedule): Promise<SourceSecret | null>;

  /** Newest first. */
  abstract list(teamId: TeamId, page: PageRequest): Promise<Page<Schedule>>;

  abstract count(teamId: TeamId): Promise<number>;

  /** Some that are due, locked until the open unit of work ends, without those that another process has locked. */
  abstract listDueForUpdate(now: Date): Promise<Schedule[]>;
}

/** A schedule, for a run. @throws UnitDeleted with it; RunFailure when its secret cannot be decrypted. */
export async function openSchedule(
  schedules: ScheduleRepository,
  id: ScheduleId,
): Promise<{ schedule: Schedule; secret: SourceSecret }> {
  const schedule = await schedules.find(id);
  if (schedule === null) throw new UnitDeleted();
  const secret = await schedules.findSecret(schedule);
  if (secret === null) throw new RunFailure('secret_unreadable');
  return { schedule, secret };
}
