import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import {
  FailedRequests,
  type StoredFailedRequest,
  type FailedRequest,
  type FailedRequestFilter,
} from '../../../kernel/failed-requests.js';
import { BatchedWriter } from '../../../kernel/concurrency/batched-writer.js';
import { Clock } from '../../../kernel/clock.js';
import { newId } from '../../../kernel/ids.js';
import type { Page, PageRequest } from '../../../kernel/page.js';
import type { TeamId } from '../../../kernel/principal.js';
import { keysetPage } from '../transactions/keyset-page.js';
import { PostgresUnitOfWork } from '../transactions/postgres-unit-of-work.js';
import { FailedRequestSchema } from './postgres-failed-request.schema.js';

const COLLECT_MS = 1_000;
const MAX_SIZE = 500;
/** Requests in memory, of all teams. */
const MAX_WAITING = 5_000;
/** Requests of a team that one process stores in a period; those of its publishable keys count apart. */
const MAX_PER_PERIOD = 100;
const PERIOD_MS = 10 * 60_000;
const MAX_COUNTERS = 10_000;

@Injectable()
export class PostgresFailedRequests extends FailedRequests implements BeforeApplicationShutdown {
  private readonly counts: LRUCache<string, number>;
  private readonly writer = new BatchedWriter<StoredFailedRequest>({
    collectMs: COLLECT_MS,
    maxSize: MAX_SIZE,
    write: async (requests) => void (await this.work.pool.insert(FailedRequestSchema, [...requests])),
  });

  constructor(
    private readonly work: PostgresUnitOfWork,
    clock: Clock,
  ) {
    super();
    this.counts = new LRUCache({
      max: MAX_COUNTERS,
      ttl: PERIOD_MS,
      perf: { now: () => clock.monotonicMs() },
    });
  }

  record({ isPublishable, ...request }: FailedRequest): void {
    const counter = `${request.teamId} ${isPublishable}`;
    const count = this.counts.get(counter) ?? 0;
    if (count >= MAX_PER_PERIOD || this.writer.waiting >= MAX_WAITING) return;
    this.counts.set(counter, count + 1, { noUpdateTTL: true });
    // A request has its response already; without the database its entry is lost.
    this.writer.add('', { ...request, id: newId('req') }).catch(() => undefined);
  }

  async list(
    teamId: TeamId,
    { requestId, code }: FailedRequestFilter,
    page: PageRequest,
  ): Promise<Page<StoredFailedRequest>> {
    // The latest request is the one that a reader has in mind.
    await this.writer.flush().catch(() => undefined);
    const query = this.work.manager
      .createQueryBuilder(FailedRequestSchema, 'request')
      .where({ teamId, ...(requestId !== null && { requestId }), ...(code !== null && { code }) });
    return keysetPage(query, page, { at: 'at', id: 'id' });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.writer.close().catch(() => undefined);
  }
}
