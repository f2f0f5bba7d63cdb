import { TeamJobs } from '../../../../kernel/queue/team-jobs.js';

export const DELIVERIES_QUEUE = 'webhook-deliveries';

/** Jobs that send the next due delivery of a team. */
export abstract class WebhookQueue extends TeamJobs {}
