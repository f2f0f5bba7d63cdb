import { stringify } from 'csv-stringify/sync';
import type { Verdict } from '../../kernel/verdict.js';
import { toResult } from './bulk.dto.js';
import type { RowResult } from './domain/list.repository.js';

type Cell = string | number | boolean | null;

/** What a CSV says of a verdict, beside the columns that came in. */
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
  verified_at: (verdict) => verdict.verifiedAt.toISOString(),
};

/**
 * Results as CSV (RFC 4180): the columns that came in, in their order, then the verdict's. A column
 * of the caller's that is named like one of the verdict's is called `input_…`. A cell that a
 * spreadsheet would take for a formula (`=`, `+`, `-`, `@`, tab or return in front) begins with `'`.
 *
 * @param columns of the CSV that came in; null: it was none, and there are `index`, `email` and `ref`.
 */
export async function* toCsv(
  batches: AsyncIterable<readonly RowResult[]>,
  columns: readonly string[] | null,
): AsyncGenerator<string, void, undefined> {
  yield csvHeader(columns);
  for await (const rows of batches) yield csvRows(rows, columns);
}

/** The first line of `toCsv`. */
export function csvHeader(columns: readonly string[] | null): string {
  const own = columns?.map((name) => (Object.hasOwn(VERDICT_COLUMNS, name) ? `input_${name}` : name));
  return csv([[...(own ?? ['index', 'email', 'ref']), ...Object.keys(VERDICT_COLUMNS)]]);
}

/** Some of the others. */
export function csvRows(rows: readonly RowResult[], columns: readonly string[] | null): string {
  const given = (row: RowResult) =>
    columns?.map((name) => cellOf(row, name)) ?? [row.index, row.email, refText(row)];
  const told = ({ verdict }: RowResult) =>
    Object.values(VERDICT_COLUMNS).map((cell) => verdict && cell(verdict));
  return csv(rows.map((row) => [...given(row), ...told(row)]));
}

/** Results as JSON, one a line. */
export async function* toNdjson(
  batches: AsyncIterable<readonly RowResult[]>,
): AsyncGenerator<string, void, undefined> {
  for await (const rows of batches) yield rows.map((row) => `${JSON.stringify(toResult(row))}\n`).join('');
}

function csv(rows: Cell[][]): string {
  return stringify(rows, { escape_formulas: true, cast: { boolean: String } });
}

function cellOf({ email, ref }: RowResult, column: string): Cell {
  if (typeof ref === 'object' && ref !== null && Object.hasOwn(ref, column)) return ref[column] ?? null;
  return email;
}

function refText({ ref }: RowResult): string | null {
  return typeof ref === 'object' && ref !== null ? JSON.stringify(ref) : ref;
}
