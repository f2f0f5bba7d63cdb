import { createReadStream, createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { ReadableStream } from 'node:stream/web';
import type { BulkJobResponse } from '../modules/bulk/bulk.dto.js';
import type { ListOutcome, ListRun } from './list-run.js';
import { ProgressBar, readProgress, removeProgress, writeProgress } from './progress.js';
import { UsageError } from './terminal.js';

const POLL_INTERVAL_MS = 1_000;
/** Time to wait for the service after a failed request. */
const UNAVAILABLE_TIMEOUT_MS = 120_000;

interface RemoteProgress {
  digest: string;
  url: string;
  /** Used for every attempt, so that a retry does not create a second job. */
  idempotencyKey: string;
  jobId: string | null;
}

/**
 * Verifies a list through a running service: submits a bulk job and downloads the results when it has
 * ended.
 */
export async function verifyListRemotely(run: ListRun, url: string, apiKey: string): Promise<ListOutcome> {
  const bar = new ProgressBar();
  const authorization = `Bearer ${apiKey}`;
  try {
    const stored = await readProgress<RemoteProgress>(run.progressFile, run.digest);
    const progress =
      stored?.url === url ? stored : { digest: run.digest, url, idempotencyKey: randomUUID(), jobId: null };
    await writeProgress(run.progressFile, progress);
    progress.jobId ??= await submit(run, progress, authorization);
    await writeProgress(run.progressFile, progress);
    const job = await waitForEnd(`${url}/v1/bulk-jobs/${progress.jobId}`, authorization, bar);
    await fetchResults(run, job, url, authorization);
    await removeProgress(run.progressFile);
    return { rows: job.total, byStatus: job.by_status };
  } finally {
    bar.stop();
  }
}

async function submit(
  { input, refresh, column }: ListRun,
  progress: RemoteProgress,
  authorization: string,
): Promise<string> {
  const query = new URLSearchParams({
    refresh: String(refresh),
    ...(column !== null && { email_column: column }),
  });
  const response = await fetch(`${progress.url}/v1/verify/bulk?${query.toString()}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'text/csv', 'idempotency-key': progress.idempotencyKey },
    body: Readable.toWeb(createReadStream(input)),
    duplex: 'half',
  });
  if (response.status !== 202) throw await errorOf(response);
  return ((await response.json()) as { id: string }).id;
}

async function waitForEnd(jobUrl: string, authorization: string, bar: ProgressBar): Promise<BulkJobResponse> {
  for (let lastResponseMs = performance.now(); ;) {
    const response = await fetch(jobUrl, { headers: { authorization } }).catch(() => null);
    if (response?.status === 200) {
      lastResponseMs = performance.now();
      const job = (await response.json()) as BulkJobResponse;
      bar.update(job.processed, job.total);
      if (job.finished_at !== null) return job;
    } else if (response !== null && response.status < 500 && response.status !== 429) {
      throw await errorOf(response);
    } else if (performance.now() - lastResponseMs > UNAVAILABLE_TIMEOUT_MS) {
      throw new Error('the service does not answer; run the same command again to resume');
    }
    await pause(POLL_INTERVAL_MS);
  }
}

async function fetchResults(
  { output, formulaGuard }: ListRun,
  { id, status, failure }: BulkJobResponse,
  url: string,
  authorization: string,
): Promise<void> {
  const headers = { authorization, accept: 'text/csv' };
  const response = await fetch(`${url}/v1/bulk-jobs/${id}/results?formula_guard=${formulaGuard}`, {
    headers,
  });
  if (response.status !== 200 || response.body === null) throw await errorOf(response);
  const part = `${output}.part`;
  await pipeline(Readable.fromWeb(response.body as ReadableStream<Uint8Array>), createWriteStream(part));
  await rename(part, output);
  if (status !== 'completed')
    process.stderr.write(
      `rcpt: the job is ${status}${failure === null ? '' : ` (${failure})`}; rows may lack verdicts\n`,
    );
}

async function errorOf(response: Response): Promise<Error> {
  const problem = (await response.json().catch(() => null)) as { detail?: string; code?: string } | null;
  const message = `${response.status} ${problem?.code ?? ''}: ${problem?.detail ?? 'the service refused'}`;
  return response.status < 500 ? new UsageError(message) : new Error(message);
}
