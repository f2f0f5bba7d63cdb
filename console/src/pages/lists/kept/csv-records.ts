/** The records of a CSV, in batches. A character may stand in two pieces of the file. */
export async function* csvRecords(
  file: Blob,
  encoding: string,
  delimiter: string,
): AsyncGenerator<string[][]> {
  const records = new CsvRecords(delimiter);
  const reader = file.stream().pipeThrough(new TextDecoderStream(encoding)).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) yield records.push(part.value);
  yield records.end();
}

/** Reads text piece by piece. */
class CsvRecords {
  private readonly special: RegExp;
  private cell = '';
  private cells: string[] = [];
  private isQuoted = false;
  /** The last character was a quote that closes, unless another one follows. */
  private isClosing = false;
  /** The last character was a carriage return. */
  private isReturn = false;

  constructor(private readonly delimiter: string) {
    const escaped = delimiter.replace(/[\\^\]-]/, '\\$&');
    this.special = new RegExp(`[${escaped}\\r\\n]`, 'g');
  }

  push(text: string): string[][] {
    const records: string[][] = [];
    let at = 0;
    while (at < text.length) {
      if (this.isQuoted) {
        const quote = text.indexOf('"', at);
        const end = quote === -1 ? text.length : quote;
        this.cell += text.slice(at, end);
        this.isQuoted = quote === -1;
        this.isClosing = quote !== -1;
        at = end + 1;
        continue;
      }
      const character = text[at] ?? '';
      const [isClosing, isReturn] = [this.isClosing, this.isReturn];
      this.isClosing = this.isReturn = false;
      if (character === '"' && (isClosing || this.cell === '')) {
        if (isClosing) this.cell += '"';
        this.isQuoted = true;
      } else if (character === this.delimiter) {
        this.cells.push(this.cell);
        this.cell = '';
      } else if (character === '\n' || character === '\r') {
        this.isReturn = character === '\r';
        if (character === '\r' || !isReturn) records.push(this.record());
      } else {
        this.special.lastIndex = at;
        const end = this.special.exec(text)?.index ?? text.length;
        this.cell += text.slice(at, end);
        at = end;
        continue;
      }
      at++;
    }
    return records;
  }

  end(): string[][] {
    return this.cell === '' && this.cells.length === 0 ? [] : [this.record()];
  }

  private record(): string[] {
    const record = [...this.cells, this.cell];
    this.cells = [];
    this.cell = '';
    return record;
  }
}
