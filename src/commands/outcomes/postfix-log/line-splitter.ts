export interface Line {
  /** null: it is too long. */
  text: string | null;
  /** Where it begins. */
  at: number;
}

const MAX_LINE_BYTES = 16_384;
const LINE_FEED = 0x0a;

/** The lines of bytes that arrive in pieces. A line that is too long takes no memory. */
export class LineSplitter {
  private pieces: Buffer[] = [];
  private size = 0;

  /** @param end of the last line, from the start of the file. */
  constructor(private end = 0) {}

  /** Where the last complete line ends. */
  get position(): number {
    return this.end;
  }

  /** Where the next byte belongs. */
  get next(): number {
    return this.end + this.size;
  }

  *add(bytes: Buffer): Generator<Line> {
    let from = 0;
    for (let found = bytes.indexOf(LINE_FEED); found !== -1; found = bytes.indexOf(LINE_FEED, from)) {
      this.keep(bytes.subarray(from, found));
      this.size++;
      from = found + 1;
      yield this.dequeue();
    }
    this.keep(bytes.subarray(from));
  }

  /** The last line, if it has no end. */
  *finish(): Generator<Line> {
    if (this.size > 0) yield this.dequeue();
  }

  private keep(bytes: Buffer): void {
    this.size += bytes.length;
    if (this.size > MAX_LINE_BYTES) this.pieces = [];
    else if (bytes.length > 0) this.pieces.push(Buffer.from(bytes));
  }

  private dequeue(): Line {
    const isTooLong = this.size > MAX_LINE_BYTES;
    const text = isTooLong ? null : Buffer.concat(this.pieces).toString().replace(/\r$/, '');
    const line = { text, at: this.end };
    this.end += this.size;
    this.size = 0;
    this.pieces = [];
    return line;
  }
}
