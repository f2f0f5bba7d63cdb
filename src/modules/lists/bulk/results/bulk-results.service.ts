import { Injectable } from '@nestjs/common';
import { FairSemaphore } from '../../../../kernel/concurrency/fair-semaphore.js';
import type { Page, PageRequest } from '../../../../kernel/page.js';
import type { Principal } from '../../../../kernel/principal.js';
import type { RowResult } from '../../../../kernel/list-files/list-entry.js';
import { RateLimited } from '../../../../kernel/errors.js';
import { REASONS, STATUS_OF, type Reason, type Status } from '../../../../kernel/verdict.js';
import { PolicyService } from '../../../verification/policy/policy.service.js';
import { inSpelling } from '../../../verification/verification/single/verification.service.js';
import { toBreakdown, type Breakdown, type BreakdownBy } from '../domain/breakdown.js';
import type { BulkJob } from '../domain/bulk-job.js';
import { BulkJobRepository } from '../domain/bulk-job.repository.js';
import { BulkSlots, ListRepository, type ResultRows } from '../domain/list.repository.js';
import { bytesPerRow, type ResultRoom } from '../domain/result-room.js';

/** What a page has at most, whatever its limit is: a client may not read it, and it is in memory as a whole. */
const PAGE_BYTES = 4_000_000;
/** What a result stream reads at a time. */
const BATCH = { rows: 500, bytes: 1_000_000 };
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
const BUSY_READS =
  'This team reads as many pages of results, or searches in as many, as it may at the same time.';
const BUSY_BREAKDOWNS = `This team has ${MAX_BREAKDOWNS} breakdowns under way, as many as it may at the same time.`;

export interface ResultFilter {
  /** One of these. */
  status?: readonly Status[] | undefined;
  reason?: Reason | undefined;
  /** A part of the address as it was sent, in upper or lower case. */
  text?: string | undefined;
  /** Only the first row of each address. */
  isDistinct?: boolean;
}

/** Rows of a list in input order. */
export interface RowRange {
  /** The index of the row before the first one; -1: none. */
  after: number;
  max: number;
}

const ALL: RowRange = { after: -1, max: Infinity };

/** Reads results in limited slots, so that other calls find free database connections. */
@Injectable()
export class BulkResultsService {
  private readonly searches = new FairSemaphore(SEARCHES);
  private readonly breakdowns = new FairSemaphore(BREAKDOWNS);

  constructor(
    private readonly jobs: BulkJobRepository,
    private readonly lists: ListRepository,
    private readonly slots: BulkSlots,
    private readonly policy: PolicyService,
  ) {}

  /**
   * A page in input order, by the index of the rows; it has fewer rows than the limit if they are long.
   *
   * @throws RateLimited
   */
  async page(
    job: BulkJob,
    { limit, after }: PageRequest<number>,
    filter: ResultFilter,
  ): Promise<Page<RowResult, number>> {
    const isBusy = isSearch(filter) && this.searches.countOf(job.teamId) >= MAX_SEARCHES;
    if (isBusy || this.slots.countOf(job.teamId) >= MAX_READS)
      throw new RateLimited(RETRY_SECONDS, BUSY_READS);
    const room = { rows: limit, bytes: PAGE_BYTES };
    const { rows: items, hasMore } = await this.read(job, filter, after ?? -1, room);
    return { items, next: hasMore ? (items.at(-1)?.index ?? null) : null };
  }

  /** Counts the rows of a list by domain or provider, one list at a time. @throws RateLimited */
  async breakdown({ teamId, listId, total }: BulkJob, by: BreakdownBy): Promise<Breakdown> {
    if (this.breakdowns.countOf(teamId) >= MAX_BREAKDOWNS)
      throw new RateLimited(RETRY_SECONDS, BUSY_BREAKDOWNS);
    const count = () => this.slots.run(teamId, () => this.lists.countGroups(listId, by, total));
    return toBreakdown(await this.breakdowns.run(teamId, count));
  }

  /**
   * All rows in input order, or some of them, at the pace of the consumer.
   *
   * @throws Error when the job is deleted in the meantime.
   */
  async *all(
    caller: Principal,
    job: BulkJob,
    filter: ResultFilter,
    { after, max }: RowRange = ALL,
  ): AsyncIterable<readonly RowResult[]> {
    let last = after;
    let left = max;
    for (let goesOn = true; goesOn;) {
      const { rows, hasMore } = await this.read(job, filter, last, {
        ...BATCH,
        rows: Math.min(BATCH.rows, left),
      });
      left -= rows.length;
      goesOn = hasMore && left > 0;
      last = rows.at(-1)?.index ?? last;
      // A job is hidden before the first of its rows is deleted, which takes a while: nothing is read meanwhile.
      if ((await this.jobs.find(caller, job.id)) === null)
        throw new Error('The results were erased while they were read');
      if (rows.length > 0) yield rows;
    }
    const isWhole = reasonsOf(filter) === null && !isSearch(filter) && max === Infinity;
    if (isWhole && last !== job.total - 1) throw new Error('The results are incomplete');
  }

  private async read(
    job: BulkJob,
    filter: ResultFilter,
    after: number,
    room: Omit<ResultRoom, 'bytesPerRow'>,
  ): Promise<ResultRows> {
    const reasons = reasonsOf(filter)?.filter((reason) => (job.byReason[reason] ?? 0) > 0) ?? null;
    if (reasons?.length === 0) return { rows: [], hasMore: false };
    const { text = null, isDistinct = false } = filter;
    const bounds = { ...room, bytesPerRow: bytesPerRow(job.columns) };
    const list = () => this.lists.listResults(job.listId, { reasons, text, isDistinct }, after, bounds);
    const inSlot = () => this.slots.run(job.teamId, list);
    const { rows, hasMore } = await (isSearch(filter) ? this.searches.run(job.teamId, inSlot) : inSlot());
    const decide = await this.policy.decider(job.teamId);
    const spelled = rows.map((row) => ({
      ...row,
      verdict: row.verdict && decide(inSpelling(row.verdict, row.email)),
    }));
    return { rows: spelled, hasMore };
  }
}

/** Whether a page may take a look at each row of the list. */
function isSearch({ text, isDistinct }: ResultFilter): boolean {
  return text !== undefined || isDistinct === true;
}

/** The reasons to filter by; null: those of all rows, also without a verdict. */
function reasonsOf({ status, reason }: ResultFilter): Reason[] | null {
  if (status === undefined && reason === undefined) return null;
  return REASONS.filter(
    (candidate) =>
      (reason ?? candidate) === candidate && (status === undefined || status.includes(STATUS_OF[candidate])),
  );
}
