import { JobTimeoutError } from './errors.js';
import { isRepeatable, listBody, type ListSource } from './list-body.js';
import { type RequestOptions, type Transport } from './transport.js';
import type { BulkJob, BulkResult, BulkResultPage, Reason, Status } from './types.js';

/** The service accepts an upload for this time. */
const UPLOAD_TIMEOUT_MS = 600_000;
const FIRST_POLL_MS = 250;
const MAX_POLL_MS = 5_000;
const PAGE_ROWS = 1_000;

export interface SubmitOptions extends RequestOptions {
  /** Up to 100 characters. */
  name?: string;
  /** Query the network even for stored results. */
  refresh?: boolean;
  /** Stored results that are older, in seconds, are not used. */
  maxAge?: number;
  /** What is verified and charged once: an address (default), or a mailbox (`canonical_email`). */
  unique?: BulkJob['unique_by'];
  /** The column of a CSV with the addresses, by name or by number from 1; needed only if it cannot be detected. */
  emailColumn?: string | number;
  /** Whether a line of a CSV names the columns; needed only if it cannot be detected. */
  header?: boolean;
  /** The line of a CSV that names the columns, from 1; lines before it are no rows. */
  headerLine?: number;
  /** One character between the cells of a CSV; needed only if it cannot be detected. */
  delimiter?: string;
  /** `false`: quotation marks in a CSV are characters like others. */
  quotes?: boolean;
  /** Of a CSV that is neither Unicode nor Windows-1252, such as `windows-1251`. */
  encoding?: string;
  /** Default: NDJSON for addresses; for a file by its extension, else `text/csv`. */
  contentType?: 'text/csv' | 'application/json' | 'application/x-ndjson';
}

export interface WaitOptions {
  /** Called with every state of the job that was read. */
  progress?: (job: BulkJob) => void;
  /** Default: none. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface ResultsOptions {
  status?: Status;
  reason?: Reason;
  /** Part of the address, in upper or lower case. */
  q?: string;
  signal?: AbortSignal;
}

/** A job, or its id. */
export type JobReference = string | Pick<BulkJob, 'id'>;

const pathOf = (job: JobReference) =>
  `/v1/bulk-jobs/${encodeURIComponent(typeof job === 'string' ? job : job.id)}`;

/** Lists that the service verifies in the background. */
export class Bulk {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Submits a list, which is sent while it is read. Only a list that can be read again is sent again
   * after an error: an array, a `Blob`, or a function that opens a stream.
   *
   * @throws RcptError
   */
  async submit(list: ListSource, options: SubmitOptions = {}): Promise<BulkJob> {
    const {
      name,
      refresh,
      maxAge,
      unique,
      emailColumn,
      header,
      headerLine,
      delimiter,
      quotes,
      encoding,
      ...more
    } = options;
    const { contentType, ...others } = more;
    const { timeoutMs = UPLOAD_TIMEOUT_MS } = options;
    const request = {
      method: 'POST',
      path: '/v1/verify/bulk',
      query: {
        ...{ name, refresh, max_age: maxAge, unique, email_column: emailColumn },
        ...{ header, header_line: headerLine, delimiter, quotes, encoding },
      },
      body: (attempt: AbortSignal) => listBody(list, attempt, contentType),
      onlyOnce: !isRepeatable(list),
    };
    return (await this.#transport.call({ ...request, ...others, timeoutMs })) as BulkJob;
  }

  async get(job: JobReference, options: RequestOptions = {}): Promise<BulkJob> {
    return (await this.#transport.call({ method: 'GET', path: pathOf(job), ...options })) as BulkJob;
  }

  /**
   * Waits until the job has ended: `completed`, `canceled` or `failed`.
   *
   * @throws JobTimeoutError, RcptError
   */
  async wait(
    job: JobReference,
    { progress, timeoutMs = Infinity, signal }: WaitOptions = {},
  ): Promise<BulkJob> {
    const deadlineMs = performance.now() + timeoutMs;
    for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(1.5 * pollMs, MAX_POLL_MS)) {
      const state = await this.get(job, { signal });
      progress?.(state);
      if (state.finished_at !== null) return state;
      const leftMs = deadlineMs - performance.now();
      if (leftMs <= 0) throw new JobTimeoutError(state);
      await this.#transport.pause(Math.min(pollMs, leftMs), signal);
    }
  }

  /**
   * The rows in input order, also while the job runs (`status` is null until a row has a verdict).
   * Reads a page when the previous one is used up.
   */
  async *results(
    job: JobReference,
    { status, reason, q, signal }: ResultsOptions = {},
  ): AsyncGenerator<BulkResult, void, undefined> {
    let cursor: string | null = null;
    do {
      const query = { limit: PAGE_ROWS, status, reason, q, cursor };
      const request = { method: 'GET', path: `${pathOf(job)}/results`, query, signal };
      const page = (await this.#transport.call(request)) as BulkResultPage;
      yield* page.data;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  /** Ends the job. It keeps the results that it has. */
  async cancel(job: JobReference, options: RequestOptions = {}): Promise<BulkJob> {
    const request = { method: 'POST', path: `${pathOf(job)}/cancel` };
    return (await this.#transport.call({ ...request, ...options })) as BulkJob;
  }

  /** Deletes the job with its addresses and results. */
  async delete(job: JobReference, options: RequestOptions = {}): Promise<void> {
    await this.#transport.call({ method: 'DELETE', path: pathOf(job), ...options });
  }
}
