import { TeamJobs } from '../../../../kernel/queue/team-jobs.js';

export const CHUNKS_QUEUE = 'bulk-chunks';

/** Jobs that verify the next chunk of a team. */
export abstract class BulkQueue extends TeamJobs {}
