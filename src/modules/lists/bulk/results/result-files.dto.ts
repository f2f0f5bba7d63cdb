import { stringify } from 'csv-stringify/sync';
import { canonicalEmail } from '../../../../engine/address/canonical-email.js';
import { InvalidRequest } from '../../../../kernel/errors.js';
import type { Verdict } from '../../../../kernel/verdict.js';
import { toResult } from './bulk-results.dto.js';
import { workbook } from '../../../../platform/http/downloads/workbook.js';
import { guardFormula } from '../../../../kernel/text/formula-guard.js';
import type { Cell } from '../../../../platform/http/downloads/workbook-files.js';
import { DELIMITERS } from '../../../../kernel/list-files/csv/csv-reading.js';
import { CsvFault, CsvRecords } from '../../../../kernel/list-files/csv/csv-records.js';
import type { CsvFormat as ReadFormat } from '../../../../kernel/list-files/list-format.js';
import { toWindows1252 } from '../../../../kernel/text/windows-1252.js';
import type { RowResult } from '../../../../kernel/list-files/list-entry.js';

/** The columns of a verdict in a CSV, after the submitted columns. */
const VERDICT_COLUMNS: Readonly<Record<string, (verdict: Verdict, row: RowResult) => Cell>> = {
  status: (verdict) => verdict.status,
  reason: (verdict) => verdict.reason,
  score: (verdict) => verdict.score,
  decision: (verdict) => verdict.policy.decision,
  did_you_mean: (verdict) => verdict.didYouMean,
  normalized_email: (verdict) => verdict.normalizedEmail,
  disposable: (verdict) => verdict.checks.disposable,
  role: (verdict) => verdict.checks.role,
  free: (verdict) => verdict.checks.free,
  catch_all: (verdict) => verdict.checks.catchAll,
  mx_host: (verdict) => verdict.dns.mx[0]?.host ?? null,
  provider: (verdict) => verdict.dns.provider,
  smtp_code: (verdict) => verdict.smtp?.code ?? null,
  smtp_category: (verdict) => verdict.smtp?.category ?? null,
  smtp_text: (verdict) => verdict.smtp?.text ?? null,
  rule: (verdict) => verdict.policy.rule ?? verdict.smtp?.rule ?? null,
  retry_after: (verdict) => verdict.retryAfter,
  verified_at: (verdict) => verdict.verifiedAt.toISOString(),
  canonical_email: (verdict) => canonicalEmail(verdict),
  duplicate_of: (_, { duplicateOf }) => duplicateOf ?? null,
};

const BYTE_ORDER_MARK = '\uFEFF';

/** All columns of the list in `columns` of a request, and its addresses. */
const OWN = 'input';
const EMAIL = 'email';

/** Of the columns in an error. */
const MAX_SHOWN = 30;
const MAX_SHOWN_CHARACTERS = 60;

/** Which columns results have. */
export interface TableFormat {
  /** Columns of the submitted CSV; null: another format, with the columns `index`, `email` and `ref`. */
  columns: readonly string[] | null;
  /** From `chosenColumns`; if absent, all. */
  chosen?: readonly string[] | undefined;
}

/** The format of results as CSV. */
export interface CsvFormat extends TableFormat {
  /** Delimiter of the submitted CSV; null: a comma. */
  delimiter: string | null;
  /** Begins with a byte order mark, without which Excel does not read UTF-8. */
  bom: boolean;
  /** How the list was read; if that is doubtful, its bytes are written as they were. */
  format?: ReadFormat | null;
  /** Prefixes cells that a spreadsheet would execute as a formula with `'`, and quotes those that it may split. */
  formulaGuard: boolean;
}

/**
 * Results as CSV (RFC 4180): the submitted columns in their order, then those of the verdict. A
 * submitted column with the name of a verdict column is renamed to `input_…`.
 */
export async function* toCsv(
  batches: AsyncIterable<readonly RowResult[]>,
  format: CsvFormat,
): AsyncGenerator<string | Buffer, void, undefined> {
  yield encoded(csvHeader(format), format);
  for await (const rows of batches) yield encoded(csvRows(rows, format), format);
}

const keepsBytes = ({ format }: CsvFormat) => (format?.warning ?? null) !== null;

/** A text of a CSV as it is written: in UTF-8, or with the bytes of the list. */
export function encoded(text: string, format: CsvFormat): string | Buffer {
  return keepsBytes(format) ? toWindows1252(text) : text;
}

/** The header line of `toCsv`. */
export function csvHeader(format: CsvFormat): string {
  const names = columnsOf(format).map(({ name }) => name);
  return (format.bom && !keepsBytes(format) ? BYTE_ORDER_MARK : '') + csv([names], format);
}

/** Lines for some rows. */
export function csvRows(rows: readonly RowResult[], format: CsvFormat): string {
  return csv(cellsOf(rows, columnsOf(format)), format);
}

/** Results as a workbook, with the columns of `toCsv`. */
export function toWorkbook(
  batches: AsyncIterable<readonly RowResult[]>,
  format: TableFormat,
): AsyncGenerator<Buffer, void, undefined> {
  const columns = columnsOf(format);
  async function* rows() {
    for await (const batch of batches) yield cellsOf(batch, columns);
  }
  const header = columns.map(({ name }) => name);
  return workbook(header, rows());
}

/**
 * The names of the columns that are chosen, each once: a response has at most the columns of the list and those of
 * a verdict.
 *
 * @throws InvalidRequest when there is no such column, or one is chosen twice.
 */
export function chosenColumns(text: string, columns: TableFormat['columns']): string[] {
  const names = namesIn(text);
  const all = allColumns(columns).map(({ name }) => name);
  const known = new Set([OWN, EMAIL, ...all]);
  if (names.length === 0 || names.some((name) => !known.has(name)))
    throw invalidColumns(
      `Send names of columns, separated by commas and in double quotes if they have one: ${OWN} for those of the list, ${EMAIL}, or some of ${shown(all)}.`,
    );
  const own = new Set(names.includes(OWN) ? ownColumns(columns).map(({ name }) => name) : []);
  const repeated = names.find((name, at) => names.indexOf(name) < at || own.has(name));
  if (repeated !== undefined)
    throw invalidColumns(`Name each column once; ${OWN} has those of the list. Omit ${shown([repeated])}.`);
  return names;
}

/** @returns none: this is not one line of a CSV. */
function namesIn(text: string): string[] {
  const records = new CsvRecords({ delimiter: ',', hasQuotes: true });
  try {
    const [names, ...others] = [...records.push(text), ...records.end()];
    return others.length === 0 ? (names?.cells.map((name) => name.trim()) ?? []) : [];
  } catch (error) {
    if (error instanceof CsvFault) return [];
    throw error;
  }
}

function invalidColumns(message: string): InvalidRequest {
  return new InvalidRequest([{ pointer: '/columns', code: 'invalid_value', message }]);
}

function shown(names: readonly string[]): string {
  const more = names.length > MAX_SHOWN ? ` and ${names.length - MAX_SHOWN} more` : '';
  return (
    names
      .slice(0, MAX_SHOWN)
      .map((name) => name.slice(0, MAX_SHOWN_CHARACTERS))
      .join(', ') + more
  );
}

/** Results as JSON, one per line. */
export async function* toNdjson(
  batches: AsyncIterable<readonly RowResult[]>,
  columns: CsvFormat['columns'],
): AsyncGenerator<string, void, undefined> {
  for await (const rows of batches)
    yield rows.map((row) => `${JSON.stringify(toResult(row, columns))}\n`).join('');
}

/** Lines of a CSV (RFC 4180). */
export function csv(
  rows: Cell[][],
  { delimiter, formulaGuard }: Pick<CsvFormat, 'delimiter' | 'formulaGuard'>,
): string {
  const own = delimiter ?? ',';
  if (!formulaGuard) return stringify(rows, { delimiter: own, cast: { boolean: String } });
  // A spreadsheet may split a CSV at them, whatever its own delimiter is.
  const others = DELIMITERS.filter((delimiter) => delimiter !== own);
  const string = (cell: string) => guardFormula(cell, others);
  return stringify(rows, { delimiter: own, quoted_match: others, cast: { boolean: String, string } });
}

interface Column {
  name: string;
  cell: (row: RowResult) => Cell;
}

function allColumns(columns: TableFormat['columns']): Column[] {
  const verdict = Object.entries(VERDICT_COLUMNS).map(([name, cell]) => ({
    name,
    cell: (row: RowResult) => row.verdict && cell(row.verdict, row),
  }));
  return [...ownColumns(columns), ...verdict];
}

/** The submitted ones; of a list that was no CSV its index, address and ref. */
function ownColumns(columns: TableFormat['columns']): Column[] {
  if (columns === null)
    return [
      { name: 'index', cell: ({ index }) => index },
      { name: 'email', cell: ({ email }) => email },
      { name: 'ref', cell: ({ ref }) => (typeof ref === 'string' ? ref : null) },
    ];
  return columns.map((name, at) => ({
    name: Object.hasOwn(VERDICT_COLUMNS, name) ? `input_${name}` : name,
    cell: (row) => ownCell(row, at),
  }));
}

/** A row whose address was erased has no cells. */
function ownCell({ email, ref }: RowResult, at: number): Cell {
  const cell = typeof ref === 'object' && ref !== null ? ref[at] : at === 0 ? null : undefined;
  return cell === null ? email : (cell ?? '');
}

function columnsOf({ columns, chosen }: TableFormat): Column[] {
  const all = allColumns(columns);
  if (!chosen) return all;
  const named = new Map(all.map((column) => [column.name, column]));
  return chosen.flatMap((name) => {
    if (name === OWN) return ownColumns(columns);
    return named.get(name) ?? { name: EMAIL, cell: ({ email }: RowResult) => email };
  });
}

function cellsOf(rows: readonly RowResult[], columns: readonly Column[]): Cell[][] {
  return rows.map((row) => columns.map(({ cell }) => cell(row)));
}
