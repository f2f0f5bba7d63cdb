import type { Status } from '../../kernel/verdict.js';
import type { ListEncoding } from '../../modules/bulk/domain/list-reader.js';
import type { ListInput } from './list-input.js';

/** The parameters of a run and the file with its progress. */
export interface ListRun {
  list: ListInput;
  /** null: standard output. */
  output: string | null;
  /** Next to the output file; deleted when the output is complete. null: the run cannot be resumed. */
  progressFile: string | null;
  /** Of the list, how it is read, and `refresh`: if one of them changes, the run starts from the beginning. */
  digest: string;
  refresh: boolean;
  reading: ListReading;
  /** Whether cells that a spreadsheet would run as a formula are marked. */
  formulaGuard: boolean;
  /** Only rows with these are written; null: all rows. */
  only: readonly Status[] | null;
}

/** How the list is read. */
export interface ListReading {
  /** The column with the addresses, a name or a number from 1; null: it is found. */
  column: string | null;
  /** Whether the first row names the columns; null: it is found. */
  header: boolean | null;
  /** null: it is found. */
  encoding: ListEncoding | null;
}

/** Counts of a completed run. */
export interface ListOutcome {
  rows: number;
  byStatus: Partial<Record<Status, number>>;
}
