import type { DomainEvent } from '../../../kernel/domain-event.js';
import type { Mode, TeamId } from '../../../kernel/principal.js';

/** A job as its news tells of it. */
interface EndedJob {
  readonly id: string;
  readonly teamId: TeamId;
  readonly mode: Mode;
  readonly state: string;
  readonly failure: string | null;
  readonly total: number;
  readonly addresses: number;
  readonly processed: number;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly byReason: Readonly<Record<string, number>>;
}

/** A job has come to its end, whichever: its counts and where its results are, never an address. */
export function bulkJobEnded(job: EndedJob): DomainEvent {
  const path = `/v1/bulk-jobs/${job.id}`;
  return {
    type: `bulk_job.${job.state}`,
    teamId: job.teamId,
    data: {
      job_id: job.id,
      mode: job.mode,
      status: job.state,
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
