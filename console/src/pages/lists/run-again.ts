import Papa from 'papaparse';
import type { BulkJob } from '../../api/client';
import { currentKey } from '../../api/session';
import { linesOf, openResults, type Row } from './results';
import { uploadList } from './new-list/upload';

/**
 * A new job of some rows with their own columns: those that are unknown, or those that a canceled job has
 * not verified.
 */
export async function runAgain(job: BulkJob, which: 'unknown' | 'rest', name: string): Promise<BulkJob> {
  // The list stays that of its team, whatever the session shows when all rows have arrived.
  const key = currentKey();
  const rows: Row[] = [];
  // The API has no filter for rows without a verdict.
  const filter = which === 'unknown' ? ({ status: 'unknown' } as const) : {};
  for await (const line of linesOf(await openResults(job.id, 'application/x-ndjson', filter))) {
    const row = JSON.parse(line) as Row;
    if (which === 'unknown' || (row.status === null && row.email.trim() !== '')) rows.push(row);
  }
  // Retries create one job only, even if a response is lost.
  const idempotencyKey = `${which} ${job.id} ${rows.length}`;
  const query = { name, unique: job.unique_by };
  const ownColumns = [
    ...new Set(rows.flatMap(({ ref }) => (typeof ref === 'object' && ref !== null ? Object.keys(ref) : []))),
  ];
  if (ownColumns.length === 0) {
    const lines = rows.map(({ email, ref }) => `${JSON.stringify({ email, ref })}\n`);
    const body = new Blob(lines, { type: 'application/x-ndjson' });
    return uploadList({ body, type: 'application/x-ndjson', query, idempotencyKey, key });
  }
  const column = freeName('email', ownColumns);
  const table = rows.map(({ email, ref }) => [email, ...ownColumns.map((own) => cellOf(ref, own))]);
  const body = new Blob([Papa.unparse([[column, ...ownColumns], ...table])], { type: 'text/csv' });
  return uploadList({
    body,
    type: 'text/csv',
    query: { ...query, email_column: column },
    idempotencyKey,
    key,
  });
}

function cellOf(ref: Row['ref'], column: string): string {
  return typeof ref === 'object' && ref !== null ? (ref[column] ?? '') : '';
}

function freeName(name: string, taken: readonly string[]): string {
  const folded = taken.map((each) => each.trim().toLowerCase());
  let free = name;
  for (let number = 2; folded.includes(free); number++) free = `${name} ${number}`;
  return free;
}
