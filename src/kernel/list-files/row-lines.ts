/** From the row with this index on, each row begins one line after the row before it. */
export interface RowLine {
  /** Of the row, from 0. */
  index: number;
  /** Where it begins in the file, from 1; null: not known from here on. */
  line: number | null;
}

/** They are part of every answer about a list. */
export const MAX_ROW_LINES = 100;

/** Collects the lines of rows: of the first row, and of each behind an empty line or a cell of several lines. */
export class RowLines {
  private readonly found: RowLine[] = [];
  private rows = 0;
  private next = 0;

  add(line: number): void {
    if (line !== this.next && this.found.length <= MAX_ROW_LINES) {
      const isLast = this.found.length === MAX_ROW_LINES;
      this.found.push({ index: this.rows, line: isLast ? null : line });
    }
    this.rows++;
    this.next = line + 1;
  }

  list(): RowLine[] {
    return [...this.found];
  }
}

/** @returns null: not known. */
export function lineOf(lines: readonly RowLine[], index: number): number | null {
  const from = lines.findLast((each) => each.index <= index);
  return from === undefined || from.line === null ? null : from.line + index - from.index;
}
