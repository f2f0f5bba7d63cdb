import { Module } from '@nestjs/common';
import { EventSubscribers } from '../../platform/database/outbox/event-subscribers.js';
import { ScheduledTasks } from '../../platform/time/scheduled-tasks.js';
import { BillingModule } from './billing.module.js';
import { SubscriptionsService } from './subscriptions.service.js';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;

@Module({ imports: [BillingModule] })
export class BillingWorkerModule {
  constructor(tasks: ScheduledTasks, events: EventSubscribers, subscriptions: SubscriptionsService) {
    tasks.add(
      { name: 'synchronize subscriptions', everyMs: SECOND_MS, run: () => subscriptions.syncDue() },
      { name: 'delete old provider events', everyMs: HOUR_MS, run: () => subscriptions.deleteOldEvents() },
    );
    events.subscribe('team.deleted', ({ teamId }) => subscriptions.endForTeam(teamId));
  }
}
