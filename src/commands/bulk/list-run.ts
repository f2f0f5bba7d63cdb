import type { Status } from '../../kernel/verdict.js';
import type { ListEncoding } from '../../modules/bulk/domain/list-reader.js';
import type { ListInput } from './list-input.js';

export interface ListRun {
  list: ListInput;
  /** null: standard output. */
  output: string | null;
  /** Next to the output file; deleted when the output is complete. null: the run cannot be resumed. */
  progressFile: string | null;
  /** Of the list, how it is read, and `refresh`: if one of them changes, the run starts from the beginning. */
  digest: string;
  refresh: boolean;
  /** How the list is read; null: it is found. */
  reading: {
    /** The column with the addresses, a name or a number from 1. */
    column: string | null;
    /** Whether the first row names the columns. */
    header: boolean | null;
    encoding: ListEncoding | null;
  };
  /** Whether cells that a spreadsheet would run as a formula are marked. */
  formulaGuard: boolean;
  /** Only rows with these are written; null: all rows. */
  only: readonly Status[] | null;
}

export interface ListOutcome {
  rows: number;
  byStatus: Partial<Record<Status, number>>;
}
