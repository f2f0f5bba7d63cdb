import type { Status } from '../../kernel/verdict.js';
import type { ListInput } from './list-input.js';

/** The parameters of a run and the file with its progress. */
export interface ListRun {
  list: ListInput;
  output: string;
  /** Next to the output file; deleted when the output is complete. */
  progressFile: string;
  /** Of the list, `column` and `refresh`: if one of them changes, the run starts from the beginning. */
  digest: string;
  refresh: boolean;
  /** The column with the addresses; null: it is detected. */
  column: string | null;
  /** Whether cells that a spreadsheet would run as a formula are marked. */
  formulaGuard: boolean;
  /** Only rows with these are written; null: all rows. */
  only: readonly Status[] | null;
}

/** Counts of a completed run. */
export interface ListOutcome {
  rows: number;
  byStatus: Partial<Record<Status, number>>;
}
