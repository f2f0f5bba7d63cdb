import { Module } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { PostgresUnitOfWork } from '../../platform/database/postgres-unit-of-work.js';
import { Egress } from '../../platform/net/egress.js';
import { SecretKeys } from '../../platform/secrets/secret-keys.js';
import { PostgresDeliveryRepository } from './adapters/postgres-delivery.repository.js';
import { PostgresWebhookRepository } from './adapters/postgres-webhook.repository.js';
import { DeliveryRepository } from './domain/delivery.repository.js';
import { TargetPolicy } from './domain/target.js';
import { WebhookRepository } from './domain/webhook.repository.js';
import { WebhookBell } from './webhook-bell.service.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
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
    WebhookBell,
    WebhookDeliveriesService,
    ...REPOSITORIES.map(([provide, Repository]) => ({
      provide,
      useFactory: (work: PostgresUnitOfWork, keys: SecretKeys) => new Repository(work, keys),
      inject: [PostgresUnitOfWork, SecretKeys],
    })),
    {
      provide: TargetPolicy,
      useFactory: ({ webhooks }: Config): TargetPolicy => {
        const egress = new Egress(webhooks.allowCidrs);
        return { allowHttp: webhooks.allowHttp, allows: (ip) => egress.allows(ip) };
      },
      inject: [Config],
    },
  ],
})
export class WebhooksModule {}
