import { describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { RUNS } from '../../../../test/support/verification/property-runs.js';
import { CsvFault, CsvRecords, type CsvFormat } from './csv-records.js';
import { leastMs } from '../../../../test/support/time/least-ms.js';

function read(text: string, format: Partial<CsvFormat> = {}, size = Infinity) {
  const records = new CsvRecords({ delimiter: ',', hasQuotes: true, ...format });
  const found = [];
  for (let from = 0; from < text.length; from += size)
    found.push(records.push(text.slice(from, from + size)));
  // A fault behind them is thrown by the next call.
  return [...found, records.end(), records.end()].flat();
}

const cellsOf = (...args: Parameters<typeof read>) => read(...args).map(({ cells }) => cells);

function faultOf(text: string, format: Partial<CsvFormat> = {}): unknown {
  try {
    return read(text, format);
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error;
    return { kind: error.kind, line: error.line, column: error.column };
  }
}

/** A backslash in front of a quote may escape it. */
const cell = fc.string({
  unit: fc.constantFrom('a', 'b', ' ', '"', ',', ';', '\n', '\r\n', '\\a', 'ü', "'"),
});
const cells = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 12 });
const pieceSize = fc.integer({ min: 1, max: 20 });

describe('the records of a CSV', () => {
  it.each([',', ';', '\t', '|'])(
    'that follows RFC 4180 are its records, in pieces of any size: %j',
    (delimiter) => {
      fc.assert(
        fc.property(cells, fc.constantFrom('\n', '\r\n', '\r'), pieceSize, (rows, end, size) => {
          const text = stringify(rows, { delimiter, quoted: true, record_delimiter: end });
          expect(cellsOf(text, { delimiter }, size)).toEqual(rows);
        }),
      );
    },
  );

  it('are the same in pieces of any size, whatever the text is', () => {
    const anything = fc.string({
      unit: fc.constantFrom('a', ' ', '"', ',', '\n', '\r', '\\', '""', '",', ',"'),
    });
    fc.assert(
      fc.property(anything, pieceSize, (text, size) => {
        const outcome = (pieces: number) => {
          try {
            return read(text, {}, pieces);
          } catch (error) {
            return String(error);
          }
        };
        expect(outcome(size)).toEqual(outcome(Infinity));
      }),
      RUNS,
    );
  });

  it('are those of csv-parse where no cell begins with a quote', () => {
    const plain = fc.string({ unit: fc.constantFrom('a', ' ', '"', ',', '\n', '\\') });
    const text = plain.map((written) => written.replace(/(^|[,\n])[ "]+/g, '$1'));
    fc.assert(
      fc.property(text, (written) => {
        const options = { relax_quotes: true, relax_column_count: true, skip_empty_lines: true };
        expect(cellsOf(written)).toEqual(parse(written, options));
      }),
    );
  });

  it('have the lines where they begin, and where they end', () => {
    const text = 'a\r\n\r\n"b\r\nb",c\r\n\n"d\n\nd\re",x\rf';
    expect(read(text)).toEqual([
      { cells: ['a'], line: 1, lines: 1 },
      { cells: ['b\r\nb', 'c'], line: 3, lines: 2 },
      { cells: ['d\n\nd\re', 'x'], line: 6, lines: 4 },
      { cells: ['f'], line: 10, lines: 1 },
    ]);
  });
});

describe('a quotation mark', () => {
  it.each<[string, string, string[]]>([
    ['inside a cell', '24" Displays OÜ,a,b', ['24" Displays OÜ', 'a', 'b']],
    ['at the end of a cell', 'Rack 19",a', ['Rack 19"', 'a']],
    ['inside a cell in quotes', '"ANNA "ANNIE" BERG","a"', ['ANNA "ANNIE" BERG', 'a']],
    ['inside, around a comma', '"Say "a, b" twice",x', ['Say "a, b" twice', 'x']],
    ['inside, in front of the end', '"BERG "ANNIE"",x', ['BERG "ANNIE"', 'x']],
    ['inside, behind the beginning', '""ANNIE" BERG",x', ['"ANNIE" BERG', 'x']],
    ['doubled and single in one cell', '"a ""b"" c "d" e",x', ['a "b" c "d" e', 'x']],
    ['of inches, in quotes', '"19" rack",x', ['19" rack', 'x']],
    ['escaped by a backslash', '"Anna \\"Annie\\" Berg",x', ['Anna "Annie" Berg', 'x']],
    ['escaped at the end', '"the \\"Annie\\"",x', ['the "Annie"', 'x']],
    ['escaped only at the end', '"size 24\\"",x', ['size 24"', 'x']],
    ['escaped at the beginning', '"\\"Annie\\", Berg",x', ['"Annie", Berg', 'x']],
    ['behind a backslash that is none', '"C:\\dir\\",x', ['C:\\dir\\', 'x']],
    ['that encloses the first word', '"B" Street - North of 5th,a', ['"B" Street - North of 5th', 'a']],
    ['that encloses the first word of two cells', '"B" Street,"C" Hall,a', ['"B" Street', '"C" Hall', 'a']],
    ['before a cell in quotes', '"B" Street,"a, b",c', ['"B" Street', 'a, b', 'c']],
    ['before an empty cell in quotes', '"B" Street,"",c', ['"B" Street', '', 'c']],
    ['behind spaces', 'x,  "a, b"  ,c', ['x', 'a, b', 'c']],
    ['behind a tab', 'x,\t"a, b"\t,c', ['x', 'a, b', 'c']],
    ['typographic', '“a”,“b”', ['“a”', '“b”']],
  ])('%s is read as spreadsheets do', (_, line, expected) => {
    for (const end of ['', '\n', '\r\nnext,row,x\n']) expect(cellsOf(line + end)[0]).toEqual(expected);
  });

  it('that begins a cell and does not end it, takes in no row with another cell in quotes', () => {
    expect(cellsOf('1,"Main St,a\n2,"Foo",b\n')).toEqual([
      ['1', '"Main St', 'a'],
      ['2', 'Foo', 'b'],
    ]);
    expect(cellsOf('1,"Main St,a\n"2","Foo",b\n')[0]).toEqual(['1', '"Main St', 'a']);
  });

  it('that is not closed is named by line and cell', () => {
    expect(faultOf('a,b\n\n1,"Main St,x\n2,Foo,y\n')).toEqual({ kind: 'open_quote', line: 3, column: 1 });
    expect(faultOf(`a,b\n1,"${'x\n'.repeat(40_000)}`)).toEqual({ kind: 'long_record', line: 2, column: 1 });
    expect(faultOf(`a,${'x'.repeat(40_000)},b\n`)).toEqual({ kind: 'long_record', line: 1, column: 1 });
    expect(faultOf(`a,${'x'.repeat(80_000)}`)).toEqual({ kind: 'long_record', line: 1, column: 1 });
  });

  it('is a character like others if quotes enclose nothing', () => {
    expect(cellsOf('1,"Main St,x\n"a","b\n', { hasQuotes: false })).toEqual([
      ['1', '"Main St', 'x'],
      ['"a"', '"b'],
    ]);
  });
});

it.each([
  ['quotes inside quotes', '"a"b, '],
  ['quotes that begin cells', '"a,'],
  ['quotes in cells', 'x"x,'],
  ['quotes alone', '"'],
  ['escaped quotes', '"\\"'],
  ['quotes and line breaks', '"\n"a'],
  ['carriage returns', '\r'],
  ['delimiters', ','],
  ['spaces before quotes', '    "a'],
])('Reading %s takes time linear in the length, in pieces of one character too', (_, piece) => {
  const reading = (length: number, size: number) => () => {
    const text = piece.repeat(length / piece.length);
    faultOf(text);
    try {
      read(text, {}, size);
    } catch (error) {
      if (!(error instanceof CsvFault)) throw error;
    }
  };
  expect(leastMs(500, reading(30_000, 1))).toBeLessThan(500);
  expect(leastMs(2_000, reading(1_000_000, 4_096))).toBeLessThan(2_000);
});
