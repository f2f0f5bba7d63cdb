import { rename } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BulkJobResponse } from '../../modules/lists/bulk/jobs/bulk-job.dto.js';
import type { ListInput } from './list-input.js';
import type { ListOutcome, ListRun } from './list-run.js';
import { readProgress, removeProgress, writeProgress } from './progress-file.js';
import type { ProgressReport } from './progress-report.js';
import { queryOf, ServiceRefusal, type ServiceClient, type Shape } from '../service-client.js';
import { deferralOf, type Deferral } from './deferral.js';
import { partOf, StandardOutput } from './local-output.js';
import { createPrivateFile } from './private-file.js';
import { sayFormat } from './format-sentence.js';
import { filterResults } from './status-filter.js';
import { UsageError } from '../terminal.js';

const FIRST_POLL_MS = 100;
const POLL_INTERVAL_MS = 1_000;
/** Time to wait for the service after a failed request. */
const UNAVAILABLE_TIMEOUT_MS = 120_000;

const MAX_HEADER_BYTES = 1_000_000;
const MAX_GROWTH = 8;
const MAX_VERDICT_BYTES = 10_000;

/** What a job must have. */
export const JOB = {
  id: 'string',
  status: 'string',
  total: 'number',
  processed: 'number',
  deferred: 'number',
  by_status: {},
  by_reason: {},
} satisfies Shape<BulkJobResponse>;

interface RemoteProgress {
  digest: string;
  url: string;
  /** Of the job. A retry must be the same request, also when the file was renamed. */
  name: string | null;
  /** Used for every attempt, so that a retry does not create a second job. */
  idempotencyKey: string;
  jobId: string | null;
}

/**
 * Verifies a list through a running service: submits a bulk job and downloads the results when it has
 * ended.
 */
export async function verifyListRemotely(
  run: ListRun,
  report: ProgressReport,
  service: ServiceClient,
): Promise<ListOutcome> {
  const { url } = service;
  const { progressFile, digest, name } = run;
  const stored = await readProgress<RemoteProgress>(progressFile, digest);
  const progress =
    stored?.url === url ? stored : { digest, url, name, idempotencyKey: randomUUID(), jobId: null };
  await writeProgress(progressFile, progress);
  try {
    progress.jobId ??= await submit(service, run, progress, report);
  } catch (error) {
    // The list was not accepted: nothing is left to resume.
    if (error instanceof ServiceRefusal && isFinal(error.status)) await removeProgress(progressFile);
    if (!(error instanceof ServiceRefusal) || !hasNoRows(error)) throw error;
    return (await import('./empty-list.js')).writeEmptyList(run, report);
  }
  await writeProgress(progressFile, progress);
  const job = await waitForEnd(service, progress.jobId, run, report);
  await fetchResults(service, job, run, report);
  await removeProgress(progressFile);
  return { rows: job.total, byStatus: job.by_status, byReason: job.by_reason, reading: job.format };
}

async function submit(
  service: ServiceClient,
  run: ListRun,
  progress: RemoteProgress,
  report: ProgressReport,
): Promise<string> {
  const { id } = await upload(service, run, progress, report);
  return id;
}

interface Submission extends Pick<RemoteProgress, 'name' | 'idempotencyKey'> {
  /** Whether the list waits for its start. */
  hold?: true;
}

/** Sends a list, and says how it was read. */
export async function upload(
  service: ServiceClient,
  run: ListRun,
  { name, idempotencyKey, hold }: Submission,
  report: ProgressReport,
): Promise<BulkJobResponse> {
  const { list, refresh, maxAge: max_age, uniqueBy, reading } = run;
  const init = () => {
    report.start({ name: 'uploading', unit: 'bytes' });
    const body = Readable.toWeb(Readable.from(counted(list, report)));
    const headers = { 'content-type': 'text/csv', 'idempotency-key': idempotencyKey };
    return { method: 'POST', headers, body, duplex: 'half' as const };
  };
  const { column: email_column, header, extracts, ...options } = reading;
  const names = typeof header === 'number' ? { header_line: header } : { header };
  const path = `/v1/verify/bulk?${queryOf({ refresh, max_age, ...(uniqueBy === 'canonical' && { unique: uniqueBy }), email_column, ...(extracts && { extract_address: true }), ...names, ...options, name, ...(hold && { hold }) })}`;
  const say = (sentence: string) => report.say(sentence);
  const response = await service.requestUntil(path, { init, status: 202, say });
  const job = await service.answer<BulkJobResponse>(response, JOB);
  sayFormat(job.format, run, report);
  return job;
}

/** The service takes no list without rows. */
function hasNoRows({ problem }: ServiceRefusal): boolean {
  return problem?.errors?.some(({ pointer, code }) => pointer === '/emails' && code === 'too_small') === true;
}

/** Not for a list that may still be accepted under the same key. */
function isFinal(status: number): boolean {
  return status !== 409 && status !== 429;
}

function counted({ bytes: total, open }: ListInput, report: ProgressReport): AsyncIterable<Buffer> {
  let sent = 0;
  report.update(sent, total);
  return open((bytes) => report.update((sent += bytes), total));
}

async function waitForEnd(
  service: ServiceClient,
  jobId: string,
  { progressFile, finish }: ListRun,
  report: ProgressReport,
): Promise<BulkJobResponse> {
  const phase = { name: 'verifying', unit: 'rows' as const, waitingFor: () => deferral?.short ?? null };
  let deferral: Deferral | null = null;
  let lastResponseMs = performance.now();
  report.start(phase);
  for (let intervalMs = FIRST_POLL_MS; ; intervalMs = Math.min(2 * intervalMs, POLL_INTERVAL_MS)) {
    const isFinishing = finish && deferral !== null;
    const response = await (
      isFinishing
        ? service.request(`/v1/bulk-jobs/${jobId}/finish`, { method: 'POST' })
        : service.request(`/v1/bulk-jobs/${jobId}`)
    ).catch((error: Error) => error);
    if (!(response instanceof Error) && response.status === 200) {
      lastResponseMs = performance.now();
      const job = await service.answer<BulkJobResponse>(response, JOB);
      const before: Deferral | null = deferral;
      deferral = deferralOf(job);
      if (deferral !== null && deferral.sentence !== before?.sentence && !finish) {
        report.say(deferral.sentence);
        report.start(phase);
      }
      report.update(job.processed, job.total, job.eta_seconds);
      if (job.finished_at !== null) return job;
    } else if (!(response instanceof Error) && response.status === 404) {
      throw new UsageError(
        `the service no longer has the job ${jobId}; ${progressFile === null ? '' : `delete ${progressFile} and `}run the same command again, which submits the list again`,
      );
    } else if (!(response instanceof Error) && response.status < 500 && response.status !== 429) {
      throw await service.refusalOf(response);
    } else if (performance.now() - lastResponseMs > UNAVAILABLE_TIMEOUT_MS) {
      throw response instanceof Error ? response : await service.refusalOf(response);
    }
    await service.pause(intervalMs);
  }
}

async function fetchResults(
  service: ServiceClient,
  { id, status, failure, total }: BulkJobResponse,
  { list, output, formulaGuard, only }: ListRun,
  report: ProgressReport,
): Promise<void> {
  report.stop();
  const response = await service.requestUntil(`/v1/bulk-jobs/${id}/results?formula_guard=${formulaGuard}`, {
    init: () => ({ headers: { accept: 'text/csv' } }),
    status: 200,
    say: (sentence) => report.say(sentence),
  });
  const body = service.bytesOf(response, maxBytesOf(list, total));
  const rows = only === null ? body : filterResults(body, only);
  if (output === null) await writeToStandardOutput(rows);
  else {
    const part = await createPrivateFile(partOf(output));
    await pipeline(rows, part.createWriteStream());
    await rename(partOf(output), output);
  }
  if (status !== 'completed')
    report.say(`the job is ${status}${failure === null ? '' : ` (${failure})`}; rows may lack verdicts`);
}

/** The cells of the list, which may be quoted and converted from another encoding, and those of the verdicts. */
function maxBytesOf({ bytes, lines }: ListInput, total: number): number {
  return MAX_HEADER_BYTES + MAX_GROWTH * bytes + MAX_VERDICT_BYTES * Math.min(total, lines);
}

async function writeToStandardOutput(chunks: AsyncIterable<string | Uint8Array>): Promise<void> {
  const output = new StandardOutput();
  for await (const chunk of chunks) await output.append(chunk);
}
