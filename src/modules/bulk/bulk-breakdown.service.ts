import { Injectable } from '@nestjs/common';
import { FairSemaphore } from '../../kernel/concurrency/fair-semaphore.js';
import { RateLimited } from '../../kernel/errors/rate-limited.js';
import { toBreakdown, type Breakdown, type BreakdownBy } from './domain/breakdown.js';
import type { BulkJob } from './domain/bulk-job.js';
import { BulkSlots } from './domain/bulk-slots.js';
import { ListRepository } from './domain/list.repository.js';

/** In this process: a list with a million rows takes seconds of PostgreSQL. */
const READS = { total: 1, perKey: 1 };
/** Running and waiting reads of a team, in this process. */
const MAX_READS = 4;
const RETRY_SECONDS = 1;

/** Counts the rows of a list by domain or provider, one list at a time. */
@Injectable()
export class BulkBreakdownService {
  private readonly reads = new FairSemaphore(READS);

  constructor(
    private readonly lists: ListRepository,
    private readonly slots: BulkSlots,
  ) {}

  /** @throws RateLimited */
  async get({ teamId, list, total }: BulkJob, by: BreakdownBy): Promise<Breakdown> {
    if (this.reads.countOf(teamId) >= MAX_READS) throw new RateLimited(RETRY_SECONDS);
    const count = () =>
      by === 'domain' ? this.lists.countByDomain(list) : this.lists.countByProvider(list, total);
    return toBreakdown(await this.reads.run(teamId, () => this.slots.run(teamId, count)));
  }
}
