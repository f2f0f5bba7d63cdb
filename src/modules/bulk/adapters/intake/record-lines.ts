/**
 * Numbers the records of a CSV by the lines where they begin, from 1. The parser counts lines, but a CRLF
 * inside quotes twice.
 */
export class RecordLines {
  private counted = 0;
  private doubled = 0;

  /** The line after the last record. */
  get next(): number {
    return this.counted - this.doubled + 1;
  }

  /** @param counted the line of its end, as the parser counts. */
  lineOf(record: readonly string[], counted: number): number {
    const isOneLine = counted === this.counted + 1;
    this.counted = counted;
    if (isOneLine) return this.next - 1;
    const text = record.join(' ');
    this.doubled += text.split('\r\n').length - 1;
    return this.next - text.split(/\r\n|\r|\n/).length;
  }
}
