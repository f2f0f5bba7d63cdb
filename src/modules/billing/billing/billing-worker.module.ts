import { Module } from '@nestjs/common';
import { Retention } from '../../../platform/database/erasure/retention.js';
import { Outbox } from '../../../platform/database/outbox/outbox.js';
import { ScheduledTasks } from '../../../platform/time/scheduled-tasks.js';
import { BillingModule } from './billing.module.js';
import { SubscriptionsService } from './subscriptions.service.js';
import { HOUR_MS, SECOND_MS } from '../../../kernel/durations.js';

/** Later, the provider does not send them again. */
const EVENTS = { table: 'billing_events', column: 'received_at', days: 30 };

@Module({ imports: [BillingModule] })
export class BillingWorkerModule {
  constructor(
    tasks: ScheduledTasks,
    outbox: Outbox,
    retention: Retention,
    subscriptions: SubscriptionsService,
  ) {
    const deleteOld = () => retention.deleteExpired(EVENTS);
    tasks.add(
      { name: 'synchronize subscriptions', everyMs: SECOND_MS, run: () => subscriptions.syncDue() },
      { name: 'delete old provider events', everyMs: HOUR_MS, run: deleteOld },
    );
    outbox.subscribe('team.deleted', ({ teamId }) => subscriptions.endForTeam(teamId));
  }
}
