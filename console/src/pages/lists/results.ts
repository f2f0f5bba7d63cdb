import { open, type BulkJob, type Reason, type Status, type Verdict } from '../../api/client';
import { lineOf } from '../../../../src/kernel/list-files/row-lines';
import { parseRef } from './kept/row-ref';

export interface Row {
  index: number;
  ref: string | Record<string, string> | null;
  email: string;
  status: Status | null;
  reason?: Reason;
  score?: number;
  duplicate_of?: string | null;
}

/** The number of rows that have a verdict. */
export const verdictsOf = ({ processed, empty }: BulkJob) => processed - empty;

/** A row that has its verdict. */
export const verdictOf = (row: Row): Verdict | null =>
  row.status === null ? null : (row as unknown as Verdict);

/** The number of a row as its file shows it; null: it is not known. */
export function sheetRow({ header, format }: BulkJob, { index, ref }: Row): number | null {
  const kept = parseRef(ref)?.row;
  if (kept !== undefined) return kept;
  if (format?.lines) return lineOf(format.lines, index);
  return index + 1 + (format?.header ?? (header === true ? 1 : 0));
}

export interface Filter {
  status?: Status | undefined;
  reason?: Reason | undefined;
}

/** What of the results is shown. It is part of the address of the page: a reload keeps it, and Back leads through it. */
export interface View extends Filter {
  /** The text that is searched for. */
  q?: string | undefined;
  /** The cursor of a page after the first. */
  page?: string | undefined;
  /** The index of the row whose panel is open. */
  row?: number | undefined;
}

/** The view that the search parameters of an address describe. */
export function viewOf({ status, reason, q, page, row }: Record<string, unknown>): View {
  return {
    ...(typeof status === 'string' && { status: status as Status }),
    ...(typeof reason === 'string' && { reason: reason as Reason }),
    // The router reads a search for digits as a number.
    ...((typeof q === 'string' || typeof q === 'number') && { q: String(q) }),
    ...(typeof page === 'string' && { page }),
    ...(typeof row === 'number' && { row }),
  };
}

/** The results as they stream. */
export function openResults(
  id: string,
  accept: string,
  filter: Readonly<Record<string, string | undefined>>,
  signal?: AbortSignal,
): Promise<Response> {
  const parameters = Object.entries(filter).filter((each): each is [string, string] => each[1] !== undefined);
  const query = new URLSearchParams(parameters);
  return open(`v1/bulk-jobs/${encodeURIComponent(id)}/results?${query}`, accept, signal);
}

export async function* linesOf(response: Response): AsyncGenerator<string> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (rest + part.value).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    if (rest !== '') yield rest;
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
