import type { EventOf } from '../../../kernel/events.js';
import type { Mode, TeamId } from '../../../kernel/principal.js';
import type { Reason, Status } from '../../../kernel/verdict.js';

declare module '../../../kernel/events.js' {
  interface EventPayloads {
    'bulk_job.completed': JobEnded;
    'bulk_job.failed': JobEnded;
    'bulk_job.canceled': JobEnded;
  }
}

type JobEnded = {
  job_id: string;
  mode: Mode;
  status: 'completed' | 'failed' | 'canceled';
  /** Why it failed; otherwise null. */
  failure: string | null;
  /** Rows. */
  total: number;
  /** Distinct addresses. */
  unique: number;
  /** Rows with a result. */
  processed: number;
  by_status: Readonly<Partial<Record<Status, number>>>;
  by_reason: Readonly<Partial<Record<Reason, number>>>;
  /** Paths. */
  links: { job: string; results: string };
};

export type JobEndedEvent = EventOf<'bulk_job.completed' | 'bulk_job.failed' | 'bulk_job.canceled'>;

/** A bulk job in an event. */
interface EndedJob {
  readonly id: string;
  readonly teamId: TeamId;
  readonly mode: Mode;
  readonly failure: string | null;
  readonly total: number;
  readonly addresses: number;
  readonly processed: number;
  readonly byStatus: JobEndedEvent['data']['by_status'];
  readonly byReason: JobEndedEvent['data']['by_reason'];
}

/** A job has ended in any state: its counts and the path of its results, never an address. */
export function bulkJobEnded(job: EndedJob, state: 'completed' | 'canceled' | 'failed'): JobEndedEvent {
  const path = `/v1/bulk-jobs/${job.id}`;
  return {
    type: `bulk_job.${state}`,
    teamId: job.teamId,
    data: {
      job_id: job.id,
      mode: job.mode,
      status: state,
      failure: job.failure,
      total: job.total,
      unique: job.addresses,
      processed: job.processed,
      by_status: job.byStatus,
      by_reason: job.byReason,
      links: { job: path, results: `${path}/results` },
    },
  };
}
