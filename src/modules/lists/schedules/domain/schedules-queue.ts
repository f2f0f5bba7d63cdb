import { TeamJobs } from '../../../../kernel/queue/team-jobs.js';

export const SCHEDULES_QUEUE = 'schedule-runs';

/** Jobs that work on the next run of a team. */
export abstract class SchedulesQueue extends TeamJobs {}
