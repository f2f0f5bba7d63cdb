import { Module } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Config } from '../../platform/config/config.js';
import { PostgresUnitOfWork } from '../../platform/database/postgres-unit-of-work.js';
import { DirectDialler } from '../../platform/net/dialler.js';
import { AddressPolicy } from '../../platform/net/address-policy.js';
import { addressesWithoutDns, HostAddresses } from '../../platform/net/host-addresses.js';
import { SafeFetch } from '../../platform/net/safe-fetch.js';
import { SecretKeys } from '../../platform/secrets/secret-keys.js';
import { HttpWebhookSender } from './adapters/http-webhook-sender.js';
import { PostgresDeliveryRepository } from './adapters/postgres-delivery.repository.js';
import { PostgresWebhookRepository } from './adapters/postgres-webhook.repository.js';
import { DeliveryRepository } from './domain/delivery.repository.js';
import { TargetPolicy } from './domain/target.js';
import { WebhookRepository } from './domain/webhook.repository.js';
import { WebhookSender } from './domain/webhook-sender.js';
import { WebhookQueue } from './webhook-queue.service.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { WebhookFanOutService, WebhookSettings } from './webhook-fan-out.service.js';
import { WebhookSendingService } from './webhook-sending.service.js';
import { WebhookMaintenanceService } from './webhook-maintenance.service.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

const REPOSITORIES = [
  [WebhookRepository, PostgresWebhookRepository],
  [DeliveryRepository, PostgresDeliveryRepository],
] as const;

@Module({
  controllers: [WebhooksController],
  providers: [
    WebhooksService,
    WebhookQueue,
    WebhookDeliveriesService,
    WebhookFanOutService,
    WebhookSendingService,
    WebhookMaintenanceService,
    ...REPOSITORIES.map(([provide, Repository]) => ({
      provide,
      useFactory: (work: PostgresUnitOfWork, keys: SecretKeys) => new Repository(work, keys),
      inject: [PostgresUnitOfWork, SecretKeys],
    })),
    {
      provide: AddressPolicy,
      useFactory: ({ webhooks }: Config) => new AddressPolicy(webhooks.allowCidrs),
      inject: [Config],
    },
    { provide: TargetPolicy, useFactory: targetPolicy, inject: [Config, AddressPolicy] },
    {
      provide: WebhookSender,
      useFactory: ({ dns }: Config, egress: AddressPolicy, policy: TargetPolicy, clock: Clock) => {
        const hosts = new HostAddresses(dns.servers, dns.timeoutMs);
        const net = new SafeFetch({ egress, hosts, dialler: new DirectDialler() });
        return new HttpWebhookSender(net, policy, clock);
      },
      inject: [Config, AddressPolicy, TargetPolicy, Clock],
    },
    {
      provide: WebhookSettings,
      useFactory: ({ publicUrl }: Config): WebhookSettings => ({ publicUrl }),
      inject: [Config],
    },
  ],
  exports: [WebhookFanOutService, WebhookSendingService, WebhookMaintenanceService],
})
export class WebhooksModule {}

function targetPolicy({ webhooks }: Config, egress: AddressPolicy): TargetPolicy {
  return {
    allowHttp: webhooks.allowHttp,
    allowsHost: (host) => {
      const known = addressesWithoutDns(host);
      return known === null || known.some((ip) => egress.allows(ip));
    },
  };
}
