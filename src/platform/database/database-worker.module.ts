import { Module } from '@nestjs/common';
import { describeError, Log } from '../telemetry/log.js';
import { ScheduledTasks } from '../time/scheduled-tasks.js';
import { AuditRetention } from './audit/audit-retention.js';
import { Erasures } from './erasure/erasures.js';
import { PostgresFailedRequests } from './failed-requests/postgres-failed-requests.js';
import { EventSubscribers, type PublishedEvent } from './outbox/event-subscribers.js';
import { IdempotencyStore } from './idempotency/idempotency-store.js';
import { Outbox } from './outbox/outbox.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

@Module({})
export class DatabaseWorkerModule {
  constructor(
    tasks: ScheduledTasks,
    outbox: Outbox,
    subscribers: EventSubscribers,
    idempotency: IdempotencyStore,
    auditRetention: AuditRetention,
    failedRequests: PostgresFailedRequests,
    erasures: Erasures,
    log: Log,
  ) {
    const onFailure = ({ id, type }: PublishedEvent, error: unknown) =>
      log.error({ event_id: id, event: type, err: describeError(error) }, 'event not dispatched');
    tasks.add(
      { name: 'dispatch events', everyMs: SECOND_MS, run: () => outbox.relay(subscribers, onFailure) },
      { name: 'delete dispatched events', everyMs: MINUTE_MS, run: () => outbox.deleteDispatched() },
      { name: 'delete old idempotency keys', everyMs: MINUTE_MS, run: () => idempotency.deleteOld() },
      { name: 'delete old audit entries', everyMs: 15 * MINUTE_MS, run: () => auditRetention.deleteOld() },
      { name: 'delete old failed requests', everyMs: 15 * MINUTE_MS, run: () => failedRequests.deleteOld() },
      { name: 'delete rows of deleted subjects', everyMs: 15 * SECOND_MS, run: () => erasures.run() },
    );
    erasures.add(
      'team',
      (team) => idempotency.deleteByTeam(team),
      (team) => failedRequests.deleteByTeam(team),
    );
  }
}
