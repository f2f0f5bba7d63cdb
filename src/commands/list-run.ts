/** The parameters of a run and the file with its progress. */
export interface ListRun {
  input: string;
  output: string;
  /** Next to the output file; deleted when the output is complete. */
  progressFile: string;
  /** SHA-256 of the list and `column`, in hex: a changed list starts from the beginning. */
  digest: string;
  refresh: boolean;
  /** The column with the addresses; null: it is found. */
  column: string | null;
  /** Whether cells that a spreadsheet would run as a formula are marked. */
  formulaGuard: boolean;
}

/** Counts of a completed run. */
export interface ListOutcome {
  rows: number;
  byStatus: Record<string, number>;
}
