import { Module } from '@nestjs/common';
import { Config } from '../config/config.js';
import { describeError, Log } from '../telemetry/log.js';
import { ScheduledTasks } from '../time/scheduled-tasks.js';
import { Erasures } from './erasure/erasures.js';
import { Retention, type ExpiringRows } from './erasure/retention.js';
import { Outbox, type PublishedEvent } from './outbox/outbox.js';
import { MINUTE_MS, SECOND_MS } from '../../kernel/durations.js';

/** For operators only: deliveries contain a copy of the event. */
const EVENTS = { table: 'outbox', column: 'dispatched_at', days: 7 };
const IDEMPOTENCY_KEYS = { table: 'idempotency_keys', column: 'created_at', days: 1 };
const FAILED_REQUESTS = { table: 'failed_requests', column: 'at', days: 7 };
/** With the setting the trigger of the table permits deletes until the end of the transaction. */
const AUDIT_LOG = { table: 'audit_log', column: 'at', setting: `SET LOCAL rcpt.audit_retention = 'on'` };
const OF_A_TEAM = [
  { table: 'idempotency_keys', orderBy: 'team_id, mode, key_digest' },
  { table: 'failed_requests', orderBy: 'team_id, at, id' },
];

@Module({})
export class DatabaseWorkerModule {
  constructor(
    tasks: ScheduledTasks,
    outbox: Outbox,
    retention: Retention,
    erasures: Erasures,
    { auditRetentionDays }: Config,
    log: Log,
  ) {
    const onFailure = ({ id, type }: PublishedEvent, error: unknown) =>
      log.error({ event_id: id, event: type, err: describeError(error) }, 'event not dispatched');
    const deleteOld = (rows: ExpiringRows) => () => retention.deleteExpired(rows);
    const auditLog = { ...AUDIT_LOG, days: auditRetentionDays };
    tasks.add(
      { name: 'dispatch events', everyMs: SECOND_MS, run: () => outbox.relay(onFailure) },
      { name: 'delete dispatched events', everyMs: MINUTE_MS, run: deleteOld(EVENTS) },
      { name: 'delete old idempotency keys', everyMs: MINUTE_MS, run: deleteOld(IDEMPOTENCY_KEYS) },
      { name: 'delete old audit entries', everyMs: 15 * MINUTE_MS, run: deleteOld(auditLog) },
      { name: 'delete old failed requests', everyMs: 15 * MINUTE_MS, run: deleteOld(FAILED_REQUESTS) },
      { name: 'delete rows of deleted subjects', everyMs: 15 * SECOND_MS, run: () => erasures.run() },
    );
    erasures.add('team', (team) => retention.deleteBySubject(team, ...OF_A_TEAM));
  }
}
