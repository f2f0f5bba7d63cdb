import { Module } from '@nestjs/common';
import { TargetsModule } from '../../../platform/targets/targets.module.js';
import { QueueModule } from '../../../platform/queue/queue.module.js';
import { TeamsModule } from '../../identity/teams/teams.module.js';
import { TiersModule } from '../../identity/tiers/tiers.module.js';
import { HttpWebhookSender } from './adapters/http-webhook-sender.js';
import { PostgresDeliveryRepository } from './adapters/postgres-delivery.repository.js';
import { PostgresWebhookRepository } from './adapters/postgres-webhook.repository.js';
import { DeliveryRepository } from './domain/delivery.repository.js';
import { DELIVERIES_QUEUE, WebhookQueue } from './domain/webhook-queue.js';
import { WebhookRepository } from './domain/webhook.repository.js';
import { WebhookDeliveriesService } from './deliveries/webhook-deliveries.service.js';
import { WebhookSendingService } from './deliveries/webhook-sending.service.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './subscriptions/webhooks.service.js';
import { WebhookSender } from './domain/webhook-sender.js';

const QUEUE = QueueModule.registerQueue(DELIVERIES_QUEUE, WebhookQueue, 'deliver-webhook');

@Module({
  imports: [QUEUE, TargetsModule, TiersModule, TeamsModule],
  controllers: [WebhooksController],
  providers: [
    WebhooksService,
    WebhookDeliveriesService,
    WebhookSendingService,
    { provide: WebhookRepository, useClass: PostgresWebhookRepository },
    { provide: DeliveryRepository, useClass: PostgresDeliveryRepository },
    { provide: WebhookSender, useClass: HttpWebhookSender },
  ],
  exports: [QUEUE, WebhookDeliveriesService, WebhookSendingService],
})
export class WebhooksModule {}
