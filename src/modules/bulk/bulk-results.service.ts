import { Injectable } from '@nestjs/common';
import type { Principal } from '../../kernel/principal.js';
import { RateLimited } from '../../kernel/rate-limited.js';
import { inSpelling } from '../verification/verification.service.js';
import { TooManyExports } from './bulk.errors.js';
import type { BulkJob } from './domain/bulk-job.js';
import { BulkJobRepository } from './domain/bulk-job.repository.js';
import { BulkSlots } from './domain/bulk-slots.js';
import { ListRepository, type RowResult } from './domain/list.repository.js';
import { reasonsOf, type ResultFilter } from './domain/result-filter.js';

/** Rows that a stream of results reads at a time. */
const ROWS_AT_ONCE = 500;
/** Rows of a list that is not indexed which one statement looks at. */
const ROWS_SCANNED = 20_000;
/** Streams of a team at one time, in this process. */
const MOST_EXPORTS = 4;
/** Reads of a team that wait or are done, in this process. */
const MOST_READS = 64;
const RETRY_SECONDS = 1;

/** A stream of results that is under way; `end` gives its place back, and may be called twice. */
export interface Export {
  rows: AsyncIterable<readonly RowResult[]>;
  end: () => void;
}

/** Reads the results of jobs, in slots, so that other calls find the database free. */
@Injectable()
export class BulkResultsService {
  private readonly exports = new Map<string, Set<object>>();

  constructor(
    private readonly jobs: BulkJobRepository,
    private readonly lists: ListRepository,
    private readonly slots: BulkSlots,
  ) {}

  /** Some rows in input order, those after the index. @throws RateLimited */
  page(job: BulkJob, after: number, limit: number, filter: ResultFilter): Promise<RowResult[]> {
    if (this.slots.countOf(job.teamId) >= MOST_READS) throw new RateLimited(RETRY_SECONDS);
    return this.read(job, after, limit, filter);
  }

  /** All rows in input order, read as fast as they are taken. @throws TooManyExports */
  startExport(caller: Principal, job: BulkJob, filter: ResultFilter): Export {
    const { teamId } = caller;
    const own = this.exports.get(teamId) ?? new Set();
    if (own.size >= MOST_EXPORTS) throw new TooManyExports(MOST_EXPORTS);
    this.exports.set(teamId, own);
    const place = {};
    own.add(place);
    const end = () => {
      own.delete(place);
      if (own.size === 0) this.exports.delete(teamId);
    };
    return { rows: this.all(caller, job, filter), end };
  }

  /** @throws Error when the job is erased meanwhile. */
  private async *all(
    caller: Principal,
    job: BulkJob,
    filter: ResultFilter,
  ): AsyncIterable<readonly RowResult[]> {
    let last = -1;
    for (let full = true; full;) {
      const rows = await this.read(job, last, ROWS_AT_ONCE, filter);
      full = rows.length === ROWS_AT_ONCE;
      last = rows.at(-1)?.index ?? last;
      // A job is out of sight before the first of its rows is erased.
      if (!full && (await this.jobs.find(caller, job.id)) === null)
        throw new Error('The results were erased while they were read');
      if (rows.length > 0) yield rows;
    }
    if (reasonsOf(filter) === null && last !== job.total - 1) throw new Error('The results are not whole');
  }

  private async read(job: BulkJob, after: number, limit: number, filter: ResultFilter): Promise<RowResult[]> {
    const rows = await this.rows(job, after, limit, filter);
    return rows.map((row) => ({ ...row, verdict: row.verdict && inSpelling(row.verdict, row.email) }));
  }

  private rows(job: BulkJob, after: number, limit: number, filter: ResultFilter): Promise<RowResult[]> {
    const wanted = reasonsOf(filter);
    const inSlot = (read: () => Promise<RowResult[]>) => this.slots.run(job.teamId, read);
    if (wanted === null) return inSlot(() => this.lists.results(job.list, after, limit));
    const reasons = wanted.filter((reason) => (job.byReason[reason] ?? 0) > 0);
    if (reasons.length === 0) return Promise.resolve([]);
    if (job.isIndexed) return inSlot(() => this.lists.resultsByReason(job.list, reasons, after, limit));
    return this.scan(job, after, limit, (range, most) =>
      inSlot(() => this.lists.scanByReason(job.list, reasons, range, most)),
    );
  }

  /** In short statements: what is read of a long list is much, and none may take long. */
  private async scan(
    { total }: BulkJob,
    after: number,
    limit: number,
    read: (range: { after: number; before: number }, most: number) => Promise<RowResult[]>,
  ): Promise<RowResult[]> {
    const found: RowResult[] = [];
    for (let from = after; from < total - 1 && found.length < limit; from += ROWS_SCANNED)
      found.push(...(await read({ after: from, before: from + ROWS_SCANNED + 1 }, limit - found.length)));
    return found;
  }
}
