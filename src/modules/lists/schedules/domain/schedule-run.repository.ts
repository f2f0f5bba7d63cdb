import type { Page, PageRequest } from '../../../../kernel/page.js';
import type { TeamId } from '../../../../kernel/principal.js';
import { TeamWork } from '../../../../kernel/queue/team-work.js';
import type { ScheduleId } from './schedule.js';
import type { LeasedRun, ScheduleRun } from './schedule-run.js';

/** What a change of a schedule means for its run. */
export interface RecallChange {
  /** The source is another one, and is read from its beginning. */
  isReadAnew: boolean;
  /** The schedule was disabled. */
  isStopped: boolean;
}

/** Port: the runs. A process works on one run of a team at a time; the lease is lost too when its schedule is deleted. */
export abstract class ScheduleRunRepository extends TeamWork<LeasedRun> {
  /** @returns the run, or the one of the schedule that has not ended. */
  abstract addUnlessOpen(run: ScheduleRun): Promise<ScheduleRun>;

  abstract find(id: string): Promise<ScheduleRun | null>;

  /** Newest first. */
  abstract list(scheduleId: ScheduleId, page: PageRequest): Promise<Page<ScheduleRun>>;

  /** The newest of each. */
  abstract latest(scheduleIds: readonly ScheduleId[]): Promise<ReadonlyMap<ScheduleId, ScheduleRun>>;

  /** Locked until the open unit of work ends. */
  abstract findForUpdate(id: string): Promise<ScheduleRun | null>;

  /** The run whose list it is, while it is verified; locked until the open unit of work ends. */
  abstract findVerifyingForUpdate(jobId: string): Promise<ScheduleRun | null>;

  /** As `claim`, but none that reads for long. */
  abstract claimShort(team: TeamId): Promise<LeasedRun | null>;

  /**
   * Takes the run that has not ended from the process that works on it, which learns it with its next renewal: another
   * one goes on with it as the schedule is now. Within the open unit of work.
   */
  abstract recall(scheduleId: ScheduleId, change: RecallChange): Promise<void>;

  /** @returns false: the lease was lost, and nothing was saved. */
  abstract saveLeased(leased: LeasedRun): Promise<boolean>;

  /** As `saveLeased`; the process has no more to do with it. */
  abstract saveAndEndLease(leased: LeasedRun): Promise<boolean>;

  /** Without a lease. */
  abstract save(run: ScheduleRun): Promise<void>;

  /** Some that wait for a confirmation for too long. */
  abstract listUnanswered(now: Date): Promise<ScheduleRun[]>;

  /** Some that have ended and of which rows may be stored. */
  abstract listEndedWithRows(): Promise<ScheduleRun[]>;

  /** No rows of it are stored. */
  abstract forgetRows(id: string): Promise<void>;
}
