import { addressesIn, isUsualAddress } from '../../text/addresses-in-text.js';
import { isNoValue } from '../../text/no-value.js';
import { emailNameRank, numberInName } from './email-column-names.js';
import type { CsvRecord } from './csv-records.js';

/*
 * These rules depend on each other. They are safe to change only with the lists as people have them, which decide what
 * is right: `csv-table.spec.ts` beside this file (tables of any form, with titles and notes),
 * `test/integration/bulk/list-warnings.spec.ts` (good and wrong lists), `src/platform/list-files/files-of-people.spec.ts` and
 * `test/e2e/bulk/bulk-reading.spec.ts`. A rule that changes needs a list there that was read in a wrong way.
 */

/** How to read a table, where a person has said so. */
export interface TableOptions {
  /** The column with the addresses: its name in any case, or its number from 1; null: it is found. */
  column?: string | null | undefined;
  /** Whether a record names the columns, or the line where it begins; null: by its cells. */
  header?: boolean | number | null | undefined;
}

/** What the sample shows of a column. */
export interface ColumnSample {
  /** Cells that are not empty, and do not stand for nothing. */
  cells: number;
  /** Of these, the ones that are an address and nothing else. */
  addresses: number;
  /** Cells with an address and other characters, or several addresses. */
  wrapped: number;
}

/** Records as a table, with one delimiter. */
export interface CsvTable {
  /** The index of the record that names the columns; null: none does. */
  header: number | null;
  /** The index of the first row. */
  first: number;
  /** The index of the column with the addresses; null: `trouble` says why. */
  column: number | null;
  trouble: 'no_column' | 'several_columns' | 'no_such_column' | null;
  columns: ColumnSample[];
  /** How much the header says that `column` has the addresses. */
  rank: number;
}

type Row = readonly string[];

/** Looking at more costs time, and a row of more cells is refused. */
const MAX_CELLS = 1_000;

/** A cell of a row, as no column is named like that: a number, a date, or an address without its `@`. */
const NUMERIC = /^[\d\s.,:/+-]+$/;
const HOST = /^\S+\.[a-z]{2,}$/i;
/** Distinguishes an address, right or wrong, from other cells; the verdict decides whether it is valid. */
const ADDRESS = /^[^\s@]+@[^\s@]+$/;
const NUMBER = /^(?:column_)?([1-9]\d{0,4})$/i;

/**
 * Finds the header and the column with the addresses. Records before the header, or before the first row of a table
 * without one, are titles and notes.
 */
export function tableIn(records: readonly CsvRecord[], options: TableOptions): CsvTable {
  const rows = records.map(({ cells }) => (cells.length > MAX_CELLS ? cells.slice(0, MAX_CELLS) : cells));
  const given = options.column?.trim().toLowerCase() ?? null;
  const { header = null } = options;
  if (header === false) return tableFrom(rows, null, 0, given);
  if (typeof header === 'number') {
    const at = records.findIndex(({ line }) => line >= header);
    return tableFrom(rows, at === -1 ? null : at, at === -1 ? rows.length : at + 1, given);
  }
  const named = namedHeader(rows, given);
  if (named !== null) return tableFrom(rows, named, named + 1, given);
  const start = startOf(records);
  if (header === true) return tableFrom(rows, start, start + 1, given);
  const table = tableFrom(rows, null, start, given, true);
  const names = rows[start];
  if (names === undefined || rows.length < start + 2 || !isHeader(names, table.column)) return table;
  return { ...table, header: start, first: start + 1 };
}

/**
 * @param given the column, in small letters.
 * @param mayBeNamed whether the first row may be the header.
 */
function tableFrom(
  all: readonly Row[],
  header: number | null,
  first: number,
  given: string | null,
  mayBeNamed = false,
): CsvTable {
  const names = header === null ? null : (all[header] ?? null);
  const rows = all.slice(first);
  const isHeaderless = names === null && (!mayBeNamed || rows.length === 1 || hasAddress(rows[0] ?? []));
  const sample = isHeaderless || names !== null ? rows : rows.slice(1);
  const width = rows.reduce((most, row) => Math.max(most, row.length), names?.length ?? 0);
  const columns = samplesOf(sample, width);
  const found = { header, first, columns, trouble: null };
  if (given !== null) {
    const named = (names ?? []).findIndex((name) => name.trim().toLowerCase() === given);
    const number = Number(NUMBER.exec(given)?.[1] ?? 0) - 1;
    const column = named >= 0 ? named : number;
    if (column >= 0 && column < width) return { ...found, column, rank: named >= 0 ? 4 : 0 };
    return { ...found, column: null, trouble: 'no_such_column', rank: 0 };
  }
  const byName = names === null ? null : bestName(names, columns);
  const byCells = candidates(columns, sample.length);
  const [only, ...others] = byCells;
  const isContradicted = byName !== null && isOther(columns[byName]) && only !== byName;
  if (byName !== null && (!isContradicted || only === undefined || others.length > 0))
    return { ...found, column: byName, rank: emailNameRank(names?.[byName] ?? '') };
  if (only === undefined) return { ...found, column: null, trouble: 'no_column', rank: 0 };
  if (others.length > 0) return { ...found, column: null, trouble: 'several_columns', rank: 0 };
  return { ...found, column: only, rank: 0 };
}

/** The first record with a name of a column with addresses that is no title above the table, and below no row. */
function namedHeader(rows: readonly Row[], given: string | null): number | null {
  const usual = commonest(rows.map(({ length }) => length));
  let best: number | null = null;
  /** Of the rows so far that have an address. */
  let widest = 0;
  for (const [at, cells] of rows.entries()) {
    const width = filled(cells);
    if (hasAddress(cells)) {
      widest = Math.max(widest, width);
      continue;
    }
    const names = cells.flatMap((cell, column) => (isName(cell, given) ? column : []));
    const [first] = names;
    if (first === undefined) continue;
    const isSure = names.some((name) => emailNameRank(cells[name] ?? '') !== 1);
    if (!isSure && !isHeader(cells, first)) continue;
    if (widest >= width) break;
    if (cells.length === usual) return at;
    best ??= at;
  }
  return best;
}

function isName(cell: string, given: string | null): boolean {
  return emailNameRank(cell) > 0 || (given !== null && cell.trim().toLowerCase() === given);
}

/** Where the table begins, with its header if it has one: no title, and no note before an empty line. */
function startOf(records: readonly CsvRecord[]): number {
  const rows = records.filter(({ cells }) => hasAddress(cells));
  const width = commonest(rows.map(({ cells }) => cells.length));
  const whole = records.findIndex((record) => record.cells.length === width && rows.includes(record));
  if (whole <= 0) return 0;
  // A row may have fewer or more cells than most; a title has no address in the column of the others.
  const column = records[whole]?.cells.findIndex(isAddress) ?? 0;
  const first = records.findIndex(({ cells }, at) => at === whole || isUsualAddress(cells[column] ?? ''));
  if (first === 0) return 0;
  if (width === 1) return lastNameAbove(records, first);
  const widths = [width, records[first]?.cells.length];
  let start = first;
  while (start > 0) {
    const [record, next] = [records[start - 1], records[start]];
    if (record === undefined || !widths.includes(record.cells.length)) break;
    const isApart = next !== undefined && next.line > record.line + 1 && start < first;
    if (isApart) break;
    start--;
  }
  // A title in a table of a spreadsheet has empty cells beside it, and an empty row below.
  const isTitle = (at: number) =>
    width > 1 && filled(records[at]?.cells ?? []) < 2 && (width > 2 || at + 1 < first);
  while (start < first && isTitle(start)) start++;
  return start;
}

/** In a list of one column: the last line that may be its name, in front of all that may be addresses. */
function lastNameAbove(records: readonly CsvRecord[], first: number): number {
  const wrong = records.findIndex(({ cells }, at) => at < first && !mayBeHeader(cells, 0));
  const end = wrong === -1 ? first : wrong;
  const [last, next] = [records[end - 1], records[end]];
  // A note may stand before an empty line.
  const isApart = last !== undefined && next !== undefined && next.line > last.line + last.lines;
  return end === 0 || isApart ? end : end - 1;
}

function isHeader(cells: Row, email: number | null): boolean {
  return mayBeHeader(cells, email) && !cells.some((cell) => NUMERIC.test(cell.trim()));
}

/** Whether a person would take the cells for names. A number among them is more likely a part of a row. */
export function mayBeHeader(cells: Row, email: number | null): boolean {
  const address = email === null ? '' : (cells[email]?.trim() ?? '');
  const isRow = address.includes('@') || HOST.test(address);
  return !isRow && !cells.some((cell) => ADDRESS.test(cell.trim()));
}

/** The named column that is most surely meant; of several the one with the lowest number, or the first. */
function bestName(names: Row, columns: readonly ColumnSample[]): number | null {
  const ranked = names.flatMap((name, at) => {
    const rank = emailNameRank(name);
    const isEmpty = (columns[at]?.cells ?? 0) === 0;
    return rank === 0 ? [] : { at, order: [-rank, numberInName(name), Number(isEmpty), at] };
  });
  ranked.sort((a, b) => compare(a.order, b.order));
  return ranked[0]?.at ?? null;
}

/** The columns of which most cells are addresses; if there is none, at least half of the cells that are not empty. */
function candidates(columns: readonly ColumnSample[], rows: number): number[] {
  const counts = columns.map(({ cells, addresses, wrapped }, at) => ({
    at,
    cells,
    some: addresses + wrapped,
  }));
  const full = counts.filter(({ some }) => 2 * some > rows);
  const sparse = counts.filter(({ cells, some }) => some > 0 && 2 * some >= cells);
  return (full.length > 0 ? full : sparse).map(({ at }) => at);
}

/** Whether the column has cells, and none of them has to do with an address. */
function isOther(column: ColumnSample | undefined): boolean {
  return column !== undefined && column.cells > 0 && column.addresses + column.wrapped === 0;
}

function samplesOf(rows: readonly Row[], width: number): ColumnSample[] {
  const columns = Array.from({ length: width }, () => ({ cells: 0, addresses: 0, wrapped: 0 }));
  for (const row of rows)
    for (const [at, cell] of row.entries()) {
      const column = columns[at];
      if (column === undefined || isNoValue(cell)) continue;
      column.cells++;
      if (isUsualAddress(cell)) column.addresses++;
      // In a list of one column each `@` is meant as that of an address.
      else if (isAddress(cell) || (width === 1 && cell.includes('@'))) column.wrapped++;
    }
  return columns;
}

function isAddress(cell: string): boolean {
  return cell.includes('@') && (ADDRESS.test(cell.trim()) || addressesIn(cell).length > 0);
}

const hasAddress = (cells: Row) => cells.some(isAddress);
const filled = (cells: Row) => cells.filter((cell) => cell.trim() !== '').length;

/** The most frequent number; of several the largest; of none 0. */
export function commonest(numbers: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  const [most = [0]] = [...counts].sort(([a, times], [b, others]) => others - times || b - a);
  return most[0];
}

export function compare(a: readonly number[], b: readonly number[]): number {
  for (const [at, number] of a.entries()) {
    const difference = number - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
