import { Module } from '@nestjs/common';
import { Erasures } from '../../platform/database/erasures.js';
import { EventSubscribers } from '../../platform/database/event-subscribers.js';
import { QueueConsumers } from '../../platform/queue/queue-consumers.js';
import { ScheduledTasks } from '../../platform/time/scheduled-tasks.js';
import { VerificationModule } from '../verification/verification.module.js';
import { EVENT_TYPES } from './domain/event-types.js';
import { DELIVERIES_QUEUE } from './webhook-queue.service.js';
import { WebhookFanOutService } from './webhook-fan-out.service.js';
import { WebhookMaintenanceService } from './webhook-maintenance.service.js';
import { WebhooksModule } from './webhooks.module.js';
import { WebhooksProcessor } from './webhooks.processor.js';

const SECOND_MS = 1_000;
/** Most deliveries wait for their receivers. */
const DELIVERIES_AT_ONCE = 64;

@Module({ imports: [WebhooksModule, VerificationModule], providers: [WebhooksProcessor] })
export class WebhooksWorkerModule {
  constructor(
    tasks: ScheduledTasks,
    consumers: QueueConsumers,
    events: EventSubscribers,
    erasures: Erasures,
    processor: WebhooksProcessor,
    upkeep: WebhookMaintenanceService,
    news: WebhookFanOutService,
  ) {
    consumers.add({
      queue: DELIVERIES_QUEUE,
      concurrency: DELIVERIES_AT_ONCE,
      handler: (_, signal) => processor.deliver(signal),
    });
    tasks.add(
      { name: 'enqueue webhook deliveries', everyMs: SECOND_MS, run: () => upkeep.enqueueDue() },
      { name: 'delete old webhook deliveries', everyMs: 60 * SECOND_MS, run: () => upkeep.deleteOld() },
    );
    erasures.add('whk', (webhook) => upkeep.deleteByWebhook(webhook));
    for (const type of EVENT_TYPES) events.subscribe(type, (event) => news.fanOut(event));
  }
}
