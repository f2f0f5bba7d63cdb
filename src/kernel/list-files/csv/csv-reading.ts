import { addressesIn, isUsualAddress } from '../../text/addresses-in-text.js';
import { CsvFault, CsvRecords, type CsvRecord } from './csv-records.js';
import type { DividedRows } from './divided-rows.js';
import { commonest, compare, tableIn, type CsvTable, type TableOptions } from './csv-table.js';
import { greatest } from '../../long-lists.js';

/** How to read a CSV, where a person has said so. */
export interface CsvOptions extends TableOptions {
  /** null: it is found. */
  delimiter?: string | null | undefined;
  /** Whether quotation marks enclose cells; false: they are characters like others. */
  quotes?: boolean | null | undefined;
}

/** How a CSV is read. */
export interface CsvReading {
  delimiter: string;
  hasQuotes: boolean;
  /** The record that names the columns; null: none does. */
  header: CsvRecord | null;
  /** `header`, or the first record of the table. */
  top: CsvRecord | null;
  /** Records that begin before this line are no rows. */
  firstRow: number;
  /** The number of these records. */
  titles: number;
  /** Of the sample. */
  width: number;
  /** The index of the column with the addresses; null: `trouble` says why. */
  column: number | null;
  trouble: CsvTable['trouble'] | 'separator';
  /** Between the address and another text in each cell, if the trouble is `separator`. */
  separator: string | null;
  columns: CsvTable['columns'];
  /** How rows of one cell in quotation marks are divided; null: the table has one column. */
  divided: DividedRows | null;
}

/** Delimiters that are found without being named; the first of several that serve as well. */
export const DELIMITERS = [',', ';', '\t', '|'];
/** A delimiter that can be given: one character that is no part of usual cells. */
export const DELIMITER = /^[\x01-\x09\x0b\x0c\x0e-!#-&(-*,/:-?[-^`{-~\xa6\xa7]$/;

/** For people. */
export const DELIMITER_NAMES: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'vertical bars',
};
/** Lines that show how a CSV is read, and their greatest length together. */
const SAMPLE_LINES = 100;
/** Empty lines are not counted above. */
export const MAX_HEADER_LINE = 10_000;
const MAX_SAMPLE_LENGTH = 262_144;
/** Excel writes and reads a first line that names the delimiter. */
const NAMED_DELIMITER = /^"?sep=([^"\r\n])"?(?=[\r\n]|$)/i;
/** Marks around an address or a name. */
const ENCLOSING = /[()[\]{}<>"'“”„«»]/;
/** The share of cells that must have the same separator. */
const MOST = 0.9;

/** Collects the beginning of a CSV, which shows how to read it. */
export class CsvSample {
  text = '';
  /** Lines that are not empty. */
  private lines = 0;
  private isEmptyLine = true;

  /** @returns whether the beginning is complete. */
  push(text: string): boolean {
    this.text += text;
    for (let at = 0; at < text.length && this.lines < SAMPLE_LINES; at++) {
      const isBreak = text[at] === '\n' || text[at] === '\r';
      if (isBreak && !this.isEmptyLine) this.lines++;
      this.isEmptyLine = isBreak;
    }
    return this.lines >= SAMPLE_LINES || this.text.length >= MAX_SAMPLE_LENGTH;
  }
}

/** The line `sep=;` at the beginning, if there is one. */
export function namedDelimiter(text: string): { delimiter: string; length: number } | null {
  const [line, delimiter] = NAMED_DELIMITER.exec(text) ?? [];
  return line === undefined || delimiter === undefined ? null : { delimiter, length: line.length };
}

/**
 * Chooses delimiter, header and column together: the reading in which one column has the most addresses. Names of
 * columns decide where the cells do not.
 *
 * @param text the beginning, as `CsvSample` has it, or all; without `sep=`.
 * @param isWhole whether it is all.
 */
export function readingOf(text: string, isWhole: boolean, options: CsvOptions = {}): CsvReading {
  const hasQuotes = options.quotes !== false;
  const given = options.delimiter ?? null;
  const readings = (given === null ? DELIMITERS : [given]).flatMap((delimiter, order): Candidate[] => {
    const written = sampleOf(text, isWhole, { delimiter, hasQuotes });
    const candidateOf = (records: readonly CsvRecord[], isDivided: boolean): Candidate => {
      const table = tableIn(records, options);
      const score = [...scoreOf(records, table, order), isDivided ? 0 : 1];
      return { delimiter, records, table, isDivided, score };
    };
    return dividedIn(written, candidateOf(written, false), (records) => candidateOf(records, true));
  });
  readings.sort((a, b) => compare(b.score, a.score));
  const { delimiter, records, table, isDivided } = undivided(readings);
  const isGiven = given !== null || (options.column ?? null) !== null;
  const separator = isGiven ? null : separatorIn(records.slice(table.first), table.column);
  const header = table.header === null ? null : (records[table.header] ?? null);
  return {
    delimiter,
    hasQuotes,
    header,
    top: header ?? records[table.first] ?? null,
    firstRow: records[table.first]?.line ?? (header?.line ?? 0) + 1,
    titles: table.first,
    width: table.columns.length,
    column: table.column,
    trouble: separator === null ? table.trouble : 'separator',
    separator,
    columns: table.columns,
    divided:
      table.column === null || table.columns.length < 2
        ? null
        : { width: table.columns.length, column: table.column, all: isDivided },
  };
}

/**
 * The reading, and one in which the records are divided that are one cell in quotation marks: if the first of them
 * names columns, or more cells are addresses then. A cell may be a list of addresses as well.
 */
function dividedIn(
  records: readonly CsvRecord[],
  undivided: Candidate,
  read: (records: readonly CsvRecord[]) => Candidate,
): Candidate[] {
  const parts = records.flatMap((record) => (record.parts === undefined ? [] : [record.parts]));
  if (parts.length === 0) return [undivided];
  const divided = read(records.map((record) => ({ ...record, cells: record.parts ?? record.cells })));
  if (records[0]?.parts?.some((part) => part.includes('@')) === false) return [undivided, divided];
  const areLists = parts.some((cells) => cells.filter((cell) => cell.includes('@')).length > 1);
  const isBetter = (divided.score[1] ?? 0) > (undivided.score[1] ?? 0);
  return areLists || !isBetter ? [undivided] : [undivided, divided];
}

interface Candidate {
  delimiter: string;
  records: readonly CsvRecord[];
  table: CsvTable;
  isDivided: boolean;
  score: readonly number[];
}

/**
 * The best reading. A list of one column is read with a delimiter that divides as few cells as possible: a comma
 * in one of them is a part of it.
 *
 * @param readings the best first.
 */
function undivided(readings: readonly Candidate[]): Candidate {
  const [best] = readings as [Candidate];
  if (!isOneColumn(best)) return best;
  const undividedIn = ({ records }: Candidate) => records.filter(({ cells }) => cells.length === 1).length;
  return readings
    .filter(isOneColumn)
    .reduce((most, reading) => (undividedIn(reading) > undividedIn(most) ? reading : most), best);
}

function isOneColumn({ records, table: { header, first, column } }: Candidate): boolean {
  const isNamed = header !== null && (records[header]?.cells.length ?? 1) > 1;
  return !isNamed && column === 0 && commonest(records.slice(first).map(({ cells }) => cells.length)) === 1;
}

/** The records of the sample up to one that cannot be read. */
function sampleOf(
  text: string,
  isWhole: boolean,
  format: { delimiter: string; hasQuotes: boolean },
): CsvRecord[] {
  const records = new CsvRecords(format);
  let found: CsvRecord[] = [];
  try {
    found = records.push(text);
    if (isWhole) found = found.concat(records.end());
  } catch (error) {
    // The rows are read after the sample, and meet the fault.
    if (!(error instanceof CsvFault)) throw error;
  }
  return found.slice(0, SAMPLE_LINES);
}

/** The larger, the better; the first difference counts. */
function scoreOf(records: readonly CsvRecord[], table: CsvTable, order: number): number[] {
  const column = table.columns[table.column ?? -1];
  const most = (what: 'addresses' | 'wrapped') =>
    greatest(
      table.columns.map((each) => each[what]),
      0,
    );
  const width = table.columns.length;
  const whole = records.slice(table.first).filter(({ cells }) => cells.length === width).length;
  return [
    table.rank === 4 ? 1 : 0,
    column?.addresses ?? most('addresses'),
    table.rank,
    column?.wrapped ?? most('wrapped'),
    width > 1 ? whole / Math.max(1, records.length - table.first) : 0,
    width,
    -order,
  ];
}

/** A character between the address and another text that has nearly every cell of the column. */
function separatorIn(rows: readonly CsvRecord[], column: number | null): string | null {
  if (column === null) return null;
  const cells = rows.map(({ cells: all }) => all[column]?.trim() ?? '').filter((cell) => cell !== '');
  if (cells.length < 2) return null;
  const counts = new Map<string, { count: number; others: Set<string> }>();
  for (const cell of cells) {
    const found = separatorOf(cell);
    if (found === null) continue;
    const entry = counts.get(found.separator) ?? { count: 0, others: new Set() };
    counts.set(found.separator, entry);
    entry.count++;
    entry.others.add(found.other);
  }
  for (const [separator, { count, others }] of counts)
    // One and the same text in front of all addresses is no column: `mailto:`.
    if (count >= MOST * cells.length && others.size > 1) return separator;
  return null;
}

function separatorOf(cell: string): { separator: string; other: string } | null {
  if (!cell.includes('@') || isUsualAddress(cell)) return null;
  const [address = cell, ...more] = addressesIn(cell);
  if (more.length > 0) return null;
  const part = [address, ...address.split(/[^\p{L}\p{M}\p{N}._+'@-]/u)].find(isUsualAddress);
  if (part === undefined) return null;
  const at = cell.indexOf(part);
  const isLast = at + part.length === cell.length;
  if (at > 0 && !isLast) return null;
  const other = (isLast ? cell.slice(0, at) : cell.slice(part.length)).trim();
  const separator = isLast ? other.at(-1) : other[0];
  if (separator === undefined || ENCLOSING.test(separator)) return null;
  return /[\p{L}\p{N}]/u.test(separator) ? { separator: ' ', other } : { separator, other };
}
