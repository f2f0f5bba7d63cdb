import { TeamJobs } from '../../../../kernel/queue/team-jobs.js';

export const RECHECKS_QUEUE = 'rechecks';

/** Jobs that carry out the next due recheck of a team. */
export abstract class RecheckQueue extends TeamJobs {}
