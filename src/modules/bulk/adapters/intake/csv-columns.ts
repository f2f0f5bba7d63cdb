import { MalformedList } from '../../domain/bulk.errors.js';
import type { ListOptions } from '../../domain/list-reader.js';

/** The columns of a CSV. */
export interface Columns {
  /** Unique. Grows with a row that has more cells. */
  names: string[];
  /** The index of the column with the addresses. */
  email: number;
  /** Whether the first record names the columns. */
  hasHeader: boolean;
}

type Row = readonly string[];

/** Rows whose cells show which column has the addresses. */
export const SAMPLE_ROWS = 100;
const EMAIL_NAMES = ['email', 'e-mail', 'email address', 'e-mail address', 'mail'];
/** Distinguishes an address from other cells; the verdict decides whether it is valid. */
const ADDRESS = /^[^\s@]+@[^\s@]+$/;
/** A cell of a row, as no column is named like that: a number, a date, or an address without its `@`. */
const NUMERIC = /^[\d\s.,:/+-]+$/;
const HOST = /^\S+\.[a-z]{2,}$/i;
const NUMBER = /^(?:column_)?([1-9]\d{0,4})$/i;
const MAX_NAMES_SHOWN = 20;
const MAX_NAME_SHOWN = 60;

/**
 * The columns by the first record alone: the column with the addresses was given by its name or number, or
 * has one of the usual names.
 *
 * @returns null: neither.
 * @throws MalformedList if there is no column as given.
 */
export function columnsByName(first: Row, { column = null, header = null }: ListOptions): Columns | null {
  const folded = first.map((name) => name.trim().toLowerCase());
  const known = column === null ? EMAIL_NAMES : [column.trim().toLowerCase()];
  const named =
    header === false ? undefined : known.map((name) => folded.indexOf(name)).find((at) => at >= 0);
  if (named !== undefined) return columnsOf(first, named, true);
  if (column === null) return null;
  const at = Number(NUMBER.exec(column.trim())?.[1] ?? 0) - 1;
  if (first[at] === undefined)
    throw new MalformedList(`No column is named ${shown(column)}. ${columnsIn(first)}`);
  return columnsOf(first, at, header ?? isHeader(first, at));
}

/**
 * The columns by their cells: the addresses are in the column of which most cells are addresses. Some may
 * be none: a list is verified because of them. The first record names the columns, unless it has an
 * address, a part of one, or a number.
 *
 * @param records the first record and `SAMPLE_ROWS` more, or all.
 * @throws MalformedList if there is no such column, or several.
 */
export function columnsByCells(records: readonly Row[], { header = null }: ListOptions): Columns {
  const [first, ...rows] = records;
  if (first === undefined) throw new MalformedList('The list is empty.');
  const isRow = rows.length === 0 || first.some((cell) => ADDRESS.test(cell.trim()));
  const sample = isRow ? records : rows;
  const [email, ...others] = candidates(sample);
  if (email === undefined || others.length > 0) throw noColumn(first, others.length > 0);
  // The first record may have fewer cells.
  const width = Math.max(first.length, email + 1);
  const names = Array.from({ length: width }, (_, at) => first[at] ?? '');
  return columnsOf(names, email, header ?? isHeader(names, email));
}

/** Names the surplus cells of a row. */
export function addColumns({ names }: Columns, width: number): void {
  const used = new Set(names);
  while (names.length < width) names.push(free(`column_${names.length + 1}`, used));
}

/** The columns of which most cells are addresses; if there is none, at least half of the cells that are not empty. */
function candidates(rows: readonly Row[]): number[] {
  const width = Math.max(...rows.map((row) => row.length));
  const isAddress = (cell: string) => (width === 1 ? cell.includes('@') : ADDRESS.test(cell));
  const columns = Array.from({ length: width }, (_, at) => {
    const cells = rows.map((row) => row[at]?.trim() ?? '').filter((cell) => cell !== '');
    return { at, cells: cells.length, addresses: cells.filter(isAddress).length };
  });
  const full = columns.filter(({ addresses }) => 2 * addresses > rows.length);
  const sparse = columns.filter(({ cells, addresses }) => addresses > 0 && 2 * addresses >= cells);
  return (full.length > 0 ? full : sparse).map(({ at }) => at);
}

function isHeader(first: Row, email: number): boolean {
  const cells = first.map((cell) => cell.trim());
  const isAddress = cells[email]?.includes('@') === true || HOST.test(cells[email] ?? '');
  return !isAddress && !cells.some((cell) => ADDRESS.test(cell) || NUMERIC.test(cell));
}

function columnsOf(first: Row, email: number, hasHeader: boolean): Columns {
  if (!hasHeader) {
    const names = first.map((_, at) => (at === email ? 'email' : `column_${at + 1}`));
    return { names, email, hasHeader };
  }
  const given = first.map((name) => name.trim());
  const used = new Set(given);
  const names = given.map((name, at) => {
    if (name === '') return free(`column_${at + 1}`, used);
    return given.indexOf(name) === at ? name : free(name, used);
  });
  return { names, email, hasHeader };
}

/** The name, with a number behind it if it is taken. */
function free(name: string, used: Set<string>): string {
  let result = name;
  for (let number = 2; used.has(result); number++) result = `${name}_${number}`;
  used.add(result);
  return result;
}

function noColumn(first: Row, hasSeveral: boolean): MalformedList {
  const names = `${EMAIL_NAMES.slice(0, -1).join(', ')} or ${EMAIL_NAMES.at(-1) ?? ''}`;
  const reason = `${hasSeveral ? 'several columns contain' : 'no column contains'} addresses in most cells`;
  return new MalformedList(`No column is named ${names}, and ${reason}. ${columnsIn(first)}`);
}

/** Lists the columns by number and name, as `email_column` takes both. */
function columnsIn(first: Row): string {
  const columns = first.slice(0, MAX_NAMES_SHOWN).map((name, at) => `${at + 1} ${shown(name)}`);
  const more = first.length > MAX_NAMES_SHOWN ? ` and ${first.length - MAX_NAMES_SHOWN} more` : '';
  return `The first line has: ${columns.join(', ')}${more}. Name one with email_column.`;
}

/** Escapes control characters, which are not allowed in an error message. */
function shown(name: string): string {
  return JSON.stringify(name.slice(0, MAX_NAME_SHOWN));
}
