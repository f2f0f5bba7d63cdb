/** What a run has to do, and where it keeps how far it is. */
export interface ListRun {
  input: string;
  output: string;
  /** Lies beside the output until it is whole. */
  progressFile: string;
  /** SHA-256 of the list, in hex: another list under the same name begins anew. */
  digest: string;
  refresh: boolean;
}

/** How it went. */
export interface ListOutcome {
  rows: number;
  byStatus: Record<string, number>;
}
