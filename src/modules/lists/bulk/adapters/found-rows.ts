import type { RowResult } from '../../../../kernel/list-files/list-entry.js';
import type { ResultRows } from '../domain/list.repository.js';
import { fromStored } from './stored-verdict.js';

interface StoredRow {
  index: number;
  email: string;
  sent: string | null;
  ref: string | null;
  verdict: unknown;
  firstRow: number | null;
}

/** @property found how many rows were found; some were left out if they have too many bytes. */
export type FoundRow = StoredRow & { found: number };

export function toPage(found: readonly FoundRow[], limit: number): ResultRows {
  const rows = found.slice(0, limit).map(toResult);
  return { rows, hasMore: (found[0]?.found ?? 0) > rows.length };
}

function toResult({ index, email, sent, ref, verdict: stored, firstRow }: StoredRow): RowResult {
  const verdict = stored === null ? null : fromStored(stored);
  return {
    index,
    email: sent === null ? email : (JSON.parse(sent) as string),
    ref: ref === null ? null : (JSON.parse(ref) as RowResult['ref']),
    verdict,
    // A result has the spelling of the first row.
    ...(verdict !== null && firstRow !== null && firstRow !== index && { duplicateOf: verdict.email }),
  };
}
