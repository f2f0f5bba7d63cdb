import { MalformedList } from '../bulk.errors.js';
import { invalid, segment } from './entry-rules.js';

/** The columns of a CSV. */
export interface Columns {
  names: string[];
  /** The index of the column with the addresses. */
  email: number;
  /** Whether the first record names the columns. */
  hasHeader: boolean;
}

/** Rows whose cells show which column has the addresses. */
export const SAMPLE_ROWS = 100;
const EMAIL_NAMES = ['email', 'e-mail', 'email address', 'e-mail address', 'mail'];
/** Distinguishes an address from other cells; the verdict decides whether it is valid. */
const ADDRESS = /^[^\s@]+@[^\s@]+$/;
const MAX_NAMES_SHOWN = 20;
const MAX_NAME_SHOWN = 60;

/**
 * The columns by the first record alone.
 *
 * @param wanted the name of the column with the addresses; null: one of the usual names.
 * @returns null: no column has such a name.
 * @throws InvalidRequest if two columns have one name, MalformedList if there is no column `wanted`.
 */
export function columnsByName(first: readonly string[], wanted: string | null): Columns | null {
  const names = first.map((name) => name.trim());
  const folded = names.map((name) => name.toLowerCase());
  const known = wanted === null ? EMAIL_NAMES : [wanted.trim().toLowerCase()];
  const email = known.map((name) => folded.indexOf(name)).find((index) => index !== -1);
  if (email !== undefined) return distinct({ names, email, hasHeader: true });
  if (wanted !== null) throw new MalformedList(`No column is named ${shown([wanted])}. ${found(names)}`);
  return null;
}

/**
 * The columns by their cells: the addresses are in the only column that contains nothing else. The first
 * record names the columns, unless it has an address there too.
 *
 * @param records the first record and `SAMPLE_ROWS` more, or all.
 * @throws MalformedList if there is no such column, or several; InvalidRequest as `columnsByName`.
 */
export function columnsByCells(records: readonly (readonly string[])[]): Columns {
  const [first, ...rows] = records;
  if (first === undefined) throw new MalformedList('The list is empty.');
  const isAddress = (cell: string | undefined) => ADDRESS.test(cell?.trim() ?? '');
  const sample = rows.length > 0 ? rows : [first];
  const [email, ...others] = first.flatMap((_, at) =>
    sample.every((row) => isAddress(row[at])) ? [at] : [],
  );
  if (email === undefined || others.length > 0) {
    const reason =
      email === undefined ? 'no column contains only addresses' : 'several columns contain addresses';
    const names = EMAIL_NAMES.slice(0, -1).join(', ');
    throw new MalformedList(
      `No column is named ${names} or mail, and ${reason}. ${found(first)} Name one with email_column.`,
    );
  }
  if (!isAddress(first[email]))
    return distinct({ names: first.map((name) => name.trim()), email, hasHeader: true });
  const names = first.map((_, at) => (at === email ? 'email' : `column_${at + 1}`));
  return { names, email, hasHeader: false };
}

function distinct(columns: Columns): Columns {
  const seen = new Set<string>();
  const twice = columns.names.find((name) => seen.size === seen.add(name).size);
  if (twice !== undefined) throw invalid(`/${segment(twice)}`, 'A column name may occur once.', 'repeated');
  return columns;
}

function found(names: readonly string[]): string {
  const more = names.length > MAX_NAMES_SHOWN ? ` and ${names.length - MAX_NAMES_SHOWN} more` : '';
  return `The first line has: ${shown(names.slice(0, MAX_NAMES_SHOWN))}${more}.`;
}

/** Removes control characters, which are not allowed in an error message. */
function shown(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name.slice(0, MAX_NAME_SHOWN))).join(', ');
}
