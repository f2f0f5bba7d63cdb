import { createReadStream, createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { ReadableStream } from 'node:stream/web';
import type { BulkJobResponse } from '../modules/bulk/bulk.dto.js';
import type { ListOutcome, ListRun } from './list-run.js';
import { ProgressBar, readNote, removeNote, writeNote } from './progress.js';
import { UsageError } from './terminal.js';

const LOOK_EVERY_MS = 1_000;
/** A service that restarts, or a line that is down for a while, ends no run. */
const PATIENCE_MS = 120_000;

interface Note {
  digest: string;
  url: string;
  /** The same for every attempt, so that an answer that was lost makes no second job. */
  idempotencyKey: string;
  jobId: string | null;
}

/** Through a running service: the list is sent there, and the results are fetched when they are all there. */
export async function verifyListThere(run: ListRun, url: string, apiKey: string): Promise<ListOutcome> {
  const bar = new ProgressBar();
  const authorization = `Bearer ${apiKey}`;
  try {
    const known = await readNote<Note>(run.progressFile, run.digest);
    const note =
      known?.url === url ? known : { digest: run.digest, url, idempotencyKey: randomUUID(), jobId: null };
    await writeNote(run.progressFile, note);
    note.jobId ??= await submit(run, note, authorization);
    await writeNote(run.progressFile, note);
    const job = await watch(`${url}/v1/bulk-jobs/${note.jobId}`, authorization, bar);
    await fetchResults(run, job, url, authorization);
    await removeNote(run.progressFile);
    return { rows: job.total, byStatus: job.by_status };
  } finally {
    bar.stop();
  }
}

async function submit({ input, refresh }: ListRun, note: Note, authorization: string): Promise<string> {
  const answer = await fetch(`${note.url}/v1/verify/bulk?refresh=${refresh}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'text/csv', 'idempotency-key': note.idempotencyKey },
    body: Readable.toWeb(createReadStream(input)),
    duplex: 'half',
  });
  if (answer.status !== 202) throw await refusal(answer);
  return ((await answer.json()) as { id: string }).id;
}

async function watch(where: string, authorization: string, bar: ProgressBar): Promise<BulkJobResponse> {
  for (let answeredAtMs = performance.now(); ;) {
    const answer = await fetch(where, { headers: { authorization } }).catch(() => null);
    if (answer?.status === 200) {
      answeredAtMs = performance.now();
      const job = (await answer.json()) as BulkJobResponse;
      bar.update(job.processed, job.total);
      if (job.finished_at !== null) return job;
    } else if (answer !== null && answer.status < 500 && answer.status !== 429) {
      throw await refusal(answer);
    } else if (performance.now() - answeredAtMs > PATIENCE_MS) {
      throw new Error('the service does not answer; the same command goes on later');
    }
    await pause(LOOK_EVERY_MS);
  }
}

async function fetchResults(
  { output }: ListRun,
  { id, status, failure }: BulkJobResponse,
  url: string,
  authorization: string,
): Promise<void> {
  const headers = { authorization, accept: 'text/csv' };
  const answer = await fetch(`${url}/v1/bulk-jobs/${id}/results`, { headers });
  if (answer.status !== 200 || answer.body === null) throw await refusal(answer);
  const part = `${output}.part`;
  await pipeline(Readable.fromWeb(answer.body as ReadableStream<Uint8Array>), createWriteStream(part));
  await rename(part, output);
  if (status !== 'completed')
    process.stderr.write(
      `rcpt: the job is ${status}${failure === null ? '' : ` (${failure})`}; rows may lack verdicts\n`,
    );
}

async function refusal(answer: Response): Promise<Error> {
  const problem = (await answer.json().catch(() => null)) as { detail?: string; code?: string } | null;
  const what = `${answer.status} ${problem?.code ?? ''}: ${problem?.detail ?? 'the service refused'}`;
  return answer.status < 500 ? new UsageError(what) : new Error(what);
}
