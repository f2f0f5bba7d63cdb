import { Module } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { DirectDialler } from '../../platform/net/dialler.js';
import { AddressPolicy } from '../../platform/net/address-policy.js';
import { HostAddresses } from '../../platform/net/host-addresses.js';
import { SafeFetch } from '../../platform/net/safe-fetch.js';
import { QueueModule } from '../../platform/queue/queue.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { TiersModule } from '../tiers/tiers.module.js';
import { ConfiguredTargetPolicy } from './adapters/configured-target-policy.js';
import { HttpWebhookSender } from './adapters/http-webhook-sender.js';
import { PostgresDeliveryRepository } from './adapters/postgres-delivery.repository.js';
import { PostgresWebhookRepository } from './adapters/postgres-webhook.repository.js';
import { DeliveryRepository } from './domain/delivery.repository.js';
import { TargetPolicy } from './domain/target.js';
import { DELIVERIES_QUEUE, WebhookQueue } from './domain/webhook-queue.js';
import { WebhookRepository } from './domain/webhook.repository.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { WebhookSendingService } from './webhook-sending.service.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';
import { WebhookSender } from './domain/webhook-sender.js';

const QUEUE = QueueModule.registerQueue(DELIVERIES_QUEUE, WebhookQueue, 'deliver-webhook');

@Module({
  imports: [QUEUE, TiersModule, TeamsModule],
  controllers: [WebhooksController],
  providers: [
    WebhooksService,
    WebhookDeliveriesService,
    WebhookSendingService,
    { provide: WebhookRepository, useClass: PostgresWebhookRepository },
    { provide: DeliveryRepository, useClass: PostgresDeliveryRepository },
    { provide: WebhookSender, useClass: HttpWebhookSender },
    { provide: TargetPolicy, useClass: ConfiguredTargetPolicy },
    {
      provide: AddressPolicy,
      // Each module that dials has its own allowed ranges.
      useFactory: ({ webhooks }: Config) => new AddressPolicy(webhooks.allowCidrs),
      inject: [Config],
    },
    {
      provide: SafeFetch,
      // It takes plain values, and tests a certificate authority of their own.
      useFactory: ({ dns }: Config, policy: AddressPolicy) => {
        const hosts = new HostAddresses(dns.servers, dns.timeoutMs);
        return new SafeFetch({ policy, hosts, dialler: new DirectDialler() });
      },
      inject: [Config, AddressPolicy],
    },
  ],
  exports: [QUEUE, WebhookDeliveriesService, WebhookSendingService],
})
export class WebhooksModule {}
