/** How many results are read, and sent, at a time. */
export interface ResultRoom {
  rows: number;
  /** The texts of all rows, and `bytesPerRow` for each. */
  bytes: number;
  bytesPerRow: number;
}

/** Of a verdict in JSON. */
const VERDICT_BYTES = 1_500;
/** What a cell takes beside its text and the name of its column, which each row of a JSON response repeats. */
const CELL_BYTES = 40;

/** @param columns of a CSV; null: another format. */
export function bytesPerRow(columns: readonly string[] | null): number {
  return (columns ?? []).reduce((sum, name) => sum + Buffer.byteLength(name) + CELL_BYTES, VERDICT_BYTES);
}
