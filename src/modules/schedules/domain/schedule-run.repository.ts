import type { Page, PageRequest } from '../../../kernel/page.js';
import type { TeamId } from '../../../kernel/principal.js';
import type { ScheduleId } from './schedule.js';
import type { LeasedRun, ScheduleRun } from './schedule-run.js';

export abstract class ScheduleRunRepository {
  /** @returns the run, or the one of the schedule that has not ended. */
  abstract addUnlessOpen(run: ScheduleRun): Promise<ScheduleRun>;

  abstract find(id: string): Promise<ScheduleRun | null>;

  /** Newest first. */
  abstract list(scheduleId: ScheduleId, page: PageRequest): Promise<Page<ScheduleRun>>;

  /** The newest of each. */
  abstract latest(scheduleIds: readonly ScheduleId[]): Promise<ReadonlyMap<ScheduleId, ScheduleRun>>;

  /** The run whose list it is, while it is verified; locked until the open unit of work ends. */
  abstract findVerifyingForUpdate(jobId: string): Promise<ScheduleRun | null>;

  /** Teams with a run that a process can begin with. */
  abstract listWaitingTeams(): Promise<TeamId[]>;

  /** The oldest of the team; null: none waits, or a process works on one. Within the open unit of work. */
  abstract claim(team: TeamId, now: Date): Promise<LeasedRun | null>;

  abstract renew(leased: LeasedRun): Promise<void>;

  /** @param pauseSeconds until another process may claim it. @param counts whether the attempt counts. */
  abstract release(leased: LeasedRun, pauseSeconds: number, counts: boolean): Promise<void>;

  /** @param isLast the lease ends. @returns false: the lease was lost, and nothing was saved. */
  abstract saveLeased(leased: LeasedRun, isLast: boolean): Promise<boolean>;

  /** Without a lease. */
  abstract save(run: ScheduleRun): Promise<void>;
}
