import { Injectable } from '@nestjs/common';
import { FairSemaphore } from '../../kernel/concurrency/fair-semaphore.js';
import type { Principal } from '../../kernel/principal.js';
import { RateLimited } from '../../kernel/errors/rate-limited.js';
import { inSpelling } from '../verification/verification.service.js';
import { toBreakdown, type Breakdown, type BreakdownBy } from './domain/breakdown.js';
import { TooManyExports } from './domain/bulk.errors.js';
import type { BulkJob } from './domain/bulk-job.js';
import { BulkJobRepository } from './domain/bulk-job.repository.js';
import { BulkSlots } from './domain/bulk-slots.js';
import { ListRepository, type RowResult } from './domain/list.repository.js';
import { reasonsOf, type ResultFilter } from './domain/result-filter.js';

/** Rows that a result stream reads at a time. */
const BATCH_ROWS = 500;
/** Concurrent exports of a team, in this process. */
const MAX_EXPORTS = 4;
/** Running and waiting reads of a team, in this process. */
const MAX_READS = 64;
/** Searches in this process: each can read a whole list, and they leave slots to other reads of lists. */
const SEARCHES = { total: 2, perKey: 1 };
/** Running and waiting searches of a team, in this process. */
const MAX_SEARCHES = 8;
/** In this process: counting a list with a million rows takes seconds of PostgreSQL. */
const BREAKDOWNS = { total: 1, perKey: 1 };
/** Running and waiting breakdowns of a team, in this process. */
const MAX_BREAKDOWNS = 4;
const RETRY_SECONDS = 1;

/** A running export; `end` releases its slot and may be called twice. */
export interface Export {
  rows: AsyncIterable<readonly RowResult[]>;
  end: () => void;
}

/** Reads results in limited slots, so that other calls find free database connections. */
@Injectable()
export class BulkResultsService {
  private readonly exports = new Map<string, Set<object>>();
  private readonly searches = new FairSemaphore(SEARCHES);
  private readonly breakdowns = new FairSemaphore(BREAKDOWNS);

  constructor(
    private readonly jobs: BulkJobRepository,
    private readonly lists: ListRepository,
    private readonly slots: BulkSlots,
  ) {}

  /** Some rows after the index, in input order. @throws RateLimited */
  page(job: BulkJob, after: number, limit: number, filter: ResultFilter): Promise<RowResult[]> {
    const isBusy = filter.text !== undefined && this.searches.countOf(job.teamId) >= MAX_SEARCHES;
    if (isBusy || this.slots.countOf(job.teamId) >= MAX_READS) throw new RateLimited(RETRY_SECONDS);
    return this.read(job, after, limit, filter);
  }

  /** Counts the rows of a list by domain or provider, one list at a time. @throws RateLimited */
  async breakdown({ teamId, listId, total }: BulkJob, by: BreakdownBy): Promise<Breakdown> {
    if (this.breakdowns.countOf(teamId) >= MAX_BREAKDOWNS) throw new RateLimited(RETRY_SECONDS);
    const count = () =>
      by === 'domain' ? this.lists.countByDomain(listId) : this.lists.countByProvider(listId, total);
    return toBreakdown(await this.breakdowns.run(teamId, () => this.slots.run(teamId, count)));
  }

  /** All rows in input order, at the pace of the consumer. @throws TooManyExports */
  startExport(caller: Principal, job: BulkJob, filter: ResultFilter): Export {
    const { teamId } = caller;
    const own = this.exports.get(teamId) ?? new Set();
    if (own.size >= MAX_EXPORTS) throw new TooManyExports(MAX_EXPORTS);
    this.exports.set(teamId, own);
    const slot = {};
    own.add(slot);
    const end = () => {
      own.delete(slot);
      if (own.size === 0) this.exports.delete(teamId);
    };
    return { rows: this.all(caller, job, filter), end };
  }

  /** @throws Error when the job is deleted in the meantime. */
  private async *all(
    caller: Principal,
    job: BulkJob,
    filter: ResultFilter,
  ): AsyncIterable<readonly RowResult[]> {
    let last = -1;
    for (let full = true; full;) {
      const rows = await this.read(job, last, BATCH_ROWS, filter);
      full = rows.length === BATCH_ROWS;
      last = rows.at(-1)?.index ?? last;
      // A job is hidden before the first of its rows is deleted.
      if (!full && (await this.jobs.find(caller, job.id)) === null)
        throw new Error('The results were erased while they were read');
      if (rows.length > 0) yield rows;
    }
    const isWhole = reasonsOf(filter) === null && filter.text === undefined;
    if (isWhole && last !== job.total - 1) throw new Error('The results are incomplete');
  }

  private async read(job: BulkJob, after: number, limit: number, filter: ResultFilter): Promise<RowResult[]> {
    const rows = await this.rows(job, after, limit, filter);
    return rows.map((row) => ({ ...row, verdict: row.verdict && inSpelling(row.verdict, row.email) }));
  }

  private rows(job: BulkJob, after: number, limit: number, filter: ResultFilter): Promise<RowResult[]> {
    const filtered = reasonsOf(filter);
    const inSlot = (read: () => Promise<RowResult[]>) => this.slots.run(job.teamId, read);
    const reasons = filtered?.filter((reason) => (job.byReason[reason] ?? 0) > 0) ?? null;
    if (reasons?.length === 0) return Promise.resolve([]);
    const { text } = filter;
    if (text !== undefined)
      return this.searches.run(job.teamId, () =>
        inSlot(() => this.lists.search(job.listId, text, reasons, after, limit)),
      );
    if (reasons === null) return inSlot(() => this.lists.results(job.listId, after, limit));
    return inSlot(() => this.lists.resultsByReason(job.listId, reasons, after, limit));
  }
}
