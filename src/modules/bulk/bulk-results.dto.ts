import { stringify } from 'csv-stringify/sync';
import type { Verdict } from '../../kernel/verdict.js';
import { toResult } from './bulk.dto.js';
import { guardFormula } from '../../kernel/text/formula-guard.js';
import type { RowResult } from './domain/list.repository.js';

type Cell = string | number | boolean | null;

/** The columns of a verdict in a CSV, after the submitted columns. */
const VERDICT_COLUMNS: Readonly<Record<string, (verdict: Verdict) => Cell>> = {
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
  rule: (verdict) => verdict.smtp?.rule ?? null,
  retry_after: (verdict) => verdict.retryAfter,
  verified_at: (verdict) => verdict.verifiedAt.toISOString(),
};

/** Delimiters that a spreadsheet may split a CSV at, whatever its own is. */
const DELIMITERS = [',', ';', '\t'];
const BYTE_ORDER_MARK = '\uFEFF';

/** The format of results as CSV. */
export interface CsvFormat {
  /** Columns of the submitted CSV; null: another format, with the columns `index`, `email` and `ref`. */
  columns: readonly string[] | null;
  /** Delimiter of the submitted CSV; null: a comma. */
  delimiter: string | null;
  /** Begins with a byte order mark, without which Excel does not read UTF-8. */
  bom: boolean;
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
): AsyncGenerator<string, void, undefined> {
  yield csvHeader(format);
  for await (const rows of batches) yield csvRows(rows, format);
}

/** The header line of `toCsv`. */
export function csvHeader(format: CsvFormat): string {
  const own = format.columns?.map((name) => (Object.hasOwn(VERDICT_COLUMNS, name) ? `input_${name}` : name));
  const names = [...(own ?? ['index', 'email', 'ref']), ...Object.keys(VERDICT_COLUMNS)];
  return (format.bom ? BYTE_ORDER_MARK : '') + csv([names], format);
}

/** Lines for some rows. */
export function csvRows(rows: readonly RowResult[], format: CsvFormat): string {
  const given = (row: RowResult) => cellsOf(row, format.columns) ?? [row.index, row.email, refText(row)];
  const verdictCells = ({ verdict }: RowResult) =>
    Object.values(VERDICT_COLUMNS).map((cell) => verdict && cell(verdict));
  return csv(
    rows.map((row) => [...given(row), ...verdictCells(row)]),
    format,
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

function csv(rows: Cell[][], { delimiter, formulaGuard }: CsvFormat): string {
  const own = delimiter ?? ',';
  if (!formulaGuard) return stringify(rows, { delimiter: own, cast: { boolean: String } });
  const others = DELIMITERS.filter((each) => each !== own);
  const string = (cell: string) => guardFormula(cell, others);
  return stringify(rows, { delimiter: own, quoted_match: others, cast: { boolean: String, string } });
}

/** The submitted cells; null: the list was no CSV. A row whose address was erased has none. */
function cellsOf({ email, ref }: RowResult, columns: CsvFormat['columns']): Cell[] | null {
  if (columns === null) return null;
  const cells = typeof ref === 'object' && ref !== null ? ref : [null];
  return columns.map((_, at) => (cells[at] === null ? email : (cells[at] ?? '')));
}

function refText({ ref }: RowResult): string | null {
  return typeof ref === 'string' ? ref : null;
}
