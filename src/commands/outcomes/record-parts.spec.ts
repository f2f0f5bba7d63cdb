import { describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { csvParts, lineParts, type RecordPart } from './record-parts.js';

async function* inChunks(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function all(parts: AsyncIterable<RecordPart>): Promise<{ text: string; firstRow: number }[]> {
  const found = [];
  for await (const { body, firstRow } of parts) found.push({ text: body.toString(), firstRow });
  return found;
}

const csv = (text: string, size = 7) => all(csvParts(inChunks(text, size), text));
const rowsOf = (text: string, delimiter: string) =>
  parse(text, {
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
  });

const CELLS = ['a@example.com', '"550, no; such ""user"""', '"two\r\nlines"', '""', 'an "inner" quote', 'ü'];

describe('a list in parts', () => {
  it.each([
    [',', '\n'],
    [';', '\r\n'],
    ['\t', '\r'],
  ])(
    'has the rows of the list, with its header in each part: delimiter %j, end %j',
    async (delimiter, end) => {
      const header = ['email', 'outcome', 'reply'].join(delimiter) + end;
      const rows = Array.from({ length: 10_050 }, (_, n) =>
        [`${n}`, CELLS[n % CELLS.length], CELLS[(n * 5 + 1) % CELLS.length]]
          // Only quoted cells may have a delimiter.
          .map((cell = '') => cell)
          .join(delimiter),
      );
      for (const size of [100, 65_536]) {
        const parts = await csv(header + rows.join(end) + end, size);
        expect(parts.map(({ firstRow }) => firstRow)).toEqual([1, 10_001]);
        expect(parts.every(({ text }) => text.startsWith(header))).toBe(true);
        expect(parts.flatMap(({ text }) => rowsOf(text.slice(header.length), delimiter))).toEqual(
          rowsOf(rows.join(end), delimiter),
        );
      }
    },
  );

  it('has the line that names the delimiter in each part', async () => {
    const parts = await csv('sep=|\nemail|reply\n' + 'a@example.com|"a\n|b"\n'.repeat(10_001));
    expect(parts).toHaveLength(2);
    expect(parts[1]).toEqual({ text: 'sep=|\nemail|reply\na@example.com|"a\n|b"\n', firstRow: 10_001 });
  });

  it('is sent also if it has a header only, or no line break at its end', async () => {
    expect(await csv('email,outcome\n')).toEqual([{ text: 'email,outcome\n', firstRow: 1 }]);
    expect(await csv('email\na@example.com')).toEqual([{ text: 'email\na@example.com', firstRow: 1 }]);
  });

  it('has at most 4 MB in a part', async () => {
    const line = `{"reply":"${'x'.repeat(90_000)}"}\n`;
    const parts = await all(lineParts(inChunks(line.repeat(100), 65_536)));
    expect(parts.map(({ firstRow }) => firstRow)).toEqual([1, 45, 89]);
    expect(parts.map(({ text }) => text).join('')).toBe(line.repeat(100));
  });

  it('leaves out empty lines', async () => {
    expect(await all(lineParts(inChunks('{}\n\n\r\n{}', 3)))).toEqual([{ text: '{}\n{}', firstRow: 1 }]);
  });

  it('is refused if a quote is not closed, before it fills the memory', async () => {
    let read = 0;
    async function* endless() {
      yield Buffer.from('email\n"');
      for (;;) {
        read++;
        yield Buffer.alloc(10_000, 'x');
      }
    }
    await expect(all(csvParts(endless(), 'email\n"'))).rejects.toThrow(/100000 bytes; a quote/);
    expect(read).toBeLessThan(20);
  });
});
