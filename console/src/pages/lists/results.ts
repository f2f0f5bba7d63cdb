import { open, type BulkJob, type Reason, type Status, type Verdict } from '../../api/client';

export interface Row {
  index: number;
  ref: string | Record<string, string> | null;
  email: string;
  status: Status | null;
  reason?: Reason;
  score?: number;
}

/** A row that has its verdict. */
export const verdictOf = (row: Row): Verdict | null =>
  row.status === null ? null : (row as unknown as Verdict);

export interface Filter {
  status?: Status | undefined;
  reason?: Reason | undefined;
}

const MAX_FOUND = 200;
/** The page shows how far a search is, at most this often. */
const REPORT_MS = 200;

/**
 * Searches the results while they stream from the service, so that a million rows need no memory here.
 *
 * @param report called with the matches and the number of rows so far.
 */
export async function searchResults(
  job: BulkJob,
  filter: Filter,
  text: string,
  report: (found: Row[], searched: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const wanted = text.toLowerCase();
  const found: Row[] = [];
  let searched = 0;
  let reportedAt = 0;
  for await (const line of linesOf(await openResults(job.id, 'application/x-ndjson', filter, signal))) {
    searched++;
    // Most lines need no parsing. JSON writes some characters of an address as escapes.
    const mayMatch = line.toLowerCase().includes(JSON.stringify(wanted).slice(1, -1));
    const row = mayMatch ? (JSON.parse(line) as Row) : null;
    if (row?.email.toLowerCase().includes(wanted) === true) found.push(row);
    if (found.length === MAX_FOUND) break;
    if (performance.now() - reportedAt > REPORT_MS) {
      reportedAt = performance.now();
      report([...found], searched);
    }
  }
  report(found, searched);
}

export const isFull = (found: readonly Row[]) => found.length >= MAX_FOUND;

/** The results as they stream. */
export function openResults(
  id: string,
  accept: string,
  filter: Filter & { columns?: string | undefined; bom?: string },
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
    // Ends the export when the search has enough.
    reader.cancel().catch(() => undefined);
  }
}
