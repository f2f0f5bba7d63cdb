import type { ListOptions, UniqueBy } from '../../kernel/list-files/list-format.js';
import type { Reason, Status } from '../../kernel/verdict.js';
import type { BulkJobResponse } from '../../modules/lists/bulk/jobs/bulk-job.dto.js';
import type { ListInput } from './list-input.js';

export interface ListRun {
  list: ListInput;
  /** null: standard output. */
  output: string | null;
  /** Next to the output file; deleted when the output is complete. null: the run cannot be resumed. */
  progressFile: string | null;
  /** Of the list, how it is read, `refresh`, `maxAge` and `uniqueBy`: if one of them changes, the run starts from the beginning. */
  digest: string;
  refresh: boolean;
  /** With a service: stored results that are older, in seconds, are not used; null: no limit. */
  maxAge: number | null;
  uniqueBy: UniqueBy;
  /** Of the job; null: the list has none. */
  name: string | null;
  /** Whether deferred rows are completed with what is known when no others are left. */
  finish: boolean;
  reading: Required<Omit<ListOptions, 'lines'>>;
  /** Whether cells that a spreadsheet would run as a formula are marked. */
  formulaGuard: boolean;
  /** Only rows with these are written; null: all rows. */
  only: readonly Status[] | null;
  /** Whether the summary is JSON, which says how the list was read; else a line in front says it. */
  json: boolean;
  /** Called when a signal ends the process. They must be synchronous. */
  beforeSignal: (() => void)[];
}

export interface ListOutcome {
  /** How the list was read. */
  reading?: BulkJobResponse['format'];
  rows: number;
  byStatus: Partial<Record<Status, number>>;
  byReason: Partial<Record<Reason, number>>;
}
