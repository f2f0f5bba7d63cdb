import type { TableShape } from './archive-format.js';

/** More than the largest values that Rcpt stores; the server holds a row several times. */
const MAX_ROW_BYTES = 67_108_864;

const TAB = 0x09;
const LINE_END = 0x0a;

/** Counts the rows in the text of COPY, in which a tab and a line feed of a value are escaped. */
export class RowScan {
  rows = 0;
  private tabs = 0;
  private length = 0;
  private readonly expected: number;

  /** @param refused makes the error for a reason. */
  constructor(
    private readonly table: TableShape,
    private readonly refused: (why: string) => Error,
  ) {
    this.expected = table.columns.length - 1;
  }

  /** @param part of any size. @throws the error for a row that is too long or has other columns. */
  scan(part: Uint8Array): void {
    let { tabs } = this;
    let start = -this.length;
    for (let at = 0; at < part.length; at++) {
      const byte = part[at];
      if (byte === TAB) tabs++;
      else if (byte === LINE_END) {
        if (tabs !== this.expected) throw this.error('has a row with another number of columns');
        this.rows++;
        tabs = 0;
        start = at + 1;
      }
    }
    this.tabs = tabs;
    this.length = part.length - start;
    if (this.length > MAX_ROW_BYTES) throw this.error(`has a row of more than ${MAX_ROW_BYTES} bytes`);
  }

  /** @throws the error for a row without its end. */
  end(): void {
    if (this.length > 0) throw this.error('has a row without its end');
  }

  private error(what: string): Error {
    return this.refused(`its table ${this.table.name} ${what}`);
  }
}
