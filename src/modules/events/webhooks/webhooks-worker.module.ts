import { Module } from '@nestjs/common';
import { Config } from '../../../platform/config/config.js';
import { Erasures } from '../../../platform/database/erasure/erasures.js';
import { Retention } from '../../../platform/database/erasure/retention.js';
import { Outbox } from '../../../platform/database/outbox/outbox.js';
import { ScheduledTasks } from '../../../platform/time/scheduled-tasks.js';
import { VerificationModule } from '../../verification/verification/verification.module.js';
import { EVENT_TYPES, publicEvent } from './events/events.dto.js';
import { WebhookDeliveriesService } from './deliveries/webhook-deliveries.service.js';
import { WebhooksModule } from './webhooks.module.js';
import { WebhooksProcessor } from './deliveries/webhooks.processor.js';
import { SECOND_MS } from '../../../kernel/durations.js';

/** Deliveries can be listed for this time. */
const OLD = { table: 'webhook_deliveries', column: 'created_at', days: 30 };
const OF_WEBHOOK = { table: 'webhook_deliveries', orderBy: 'webhook_id, created_at DESC, id DESC' };

@Module({ imports: [WebhooksModule, VerificationModule], providers: [WebhooksProcessor] })
export class WebhooksWorkerModule {
  constructor(
    tasks: ScheduledTasks,
    outbox: Outbox,
    erasures: Erasures,
    retention: Retention,
    sending: WebhooksProcessor,
    deliveries: WebhookDeliveriesService,
    { publicUrl }: Config,
  ) {
    const deleteOld = () => retention.deleteExpired(OLD);
    tasks.add(
      { name: 'enqueue webhook deliveries', everyMs: SECOND_MS, run: () => sending.enqueueWaiting() },
      { name: 'delete old webhook deliveries', everyMs: 60 * SECOND_MS, run: deleteOld },
      {
        name: 'delete surplus webhook deliveries',
        everyMs: 600 * SECOND_MS,
        run: () => deliveries.deleteSurplus(),
      },
    );
    erasures.add('whk', (webhook) => retention.deleteBySubject(webhook, OF_WEBHOOK));
    for (const type of EVENT_TYPES)
      outbox.subscribe(type, (event) => deliveries.fanOut({ ...event, ...publicEvent(event, publicUrl) }));
  }
}
