import { Module } from '@nestjs/common';
import { Erasures } from '../../platform/database/erasure/erasures.js';
import { EventSubscribers } from '../../platform/database/outbox/event-subscribers.js';
import { ScheduledTasks } from '../../platform/time/scheduled-tasks.js';
import { VerificationModule } from '../verification/verification.module.js';
import { EVENT_TYPES } from './events.dto.js';
import { WebhookFanOutService } from './webhook-fan-out.service.js';
import { WebhookMaintenanceService } from './webhook-maintenance.service.js';
import { WebhooksModule } from './webhooks.module.js';
import { WebhooksProcessor } from './webhooks.processor.js';

const SECOND_MS = 1_000;

@Module({ imports: [WebhooksModule, VerificationModule], providers: [WebhooksProcessor] })
export class WebhooksWorkerModule {
  constructor(
    tasks: ScheduledTasks,
    events: EventSubscribers,
    erasures: Erasures,
    maintenance: WebhookMaintenanceService,
    webhooks: WebhookFanOutService,
  ) {
    tasks.add(
      { name: 'enqueue webhook deliveries', everyMs: SECOND_MS, run: () => maintenance.enqueueDue() },
      { name: 'delete old webhook deliveries', everyMs: 60 * SECOND_MS, run: () => maintenance.deleteOld() },
    );
    erasures.add('whk', (webhook) => maintenance.deleteByWebhook(webhook));
    for (const type of EVENT_TYPES) events.subscribe(type, (event) => webhooks.fanOut(event));
  }
}
