import { Module } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { PostgresUnitOfWork } from '../../platform/database/postgres-unit-of-work.js';
import { SecretKeys } from '../../platform/secrets/secret-keys.js';
import { PostgresPublishableStore } from './adapters/postgres-publishable-store.js';
import { PublishableStore } from './domain/publishable-store.js';
import { PublishableKeysService } from './publishable-keys.service.js';

@Module({
  providers: [
    PublishableKeysService,
    {
      provide: PublishableStore,
      useFactory: (work: PostgresUnitOfWork, keys: SecretKeys, clock: Clock): PublishableStore =>
        new PostgresPublishableStore(work, keys, clock),
      inject: [PostgresUnitOfWork, SecretKeys, Clock],
    },
  ],
  exports: [PublishableKeysService, PublishableStore],
})
export class PublishableKeysModule {}
