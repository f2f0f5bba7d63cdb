import type { Mode } from '../../../kernel/principal.js';
import type { Reason, Status } from '../../../kernel/verdict.js';

declare module '../../../kernel/events.js' {
  interface EventPayloads {
    'bulk_job.completed': JobEnded;
    'bulk_job.failed': JobEnded;
    'bulk_job.canceled': JobEnded;
  }
}

/** A job has ended in any state: its counts and the path of its results, never an address. */
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
