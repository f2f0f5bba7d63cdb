import type { BulkJob } from './bulk-job.js';

declare module '../../../../kernel/events.js' {
  interface EventPayloads {
    'bulk_job.completed': JobEnded;
    'bulk_job.failed': JobEnded;
    'bulk_job.canceled': JobEnded;
  }
}

type JobEnded = ReturnType<BulkJob['summary']>;
