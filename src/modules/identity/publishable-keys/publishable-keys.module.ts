import { Module } from '@nestjs/common';
import { PostgresPublishableStore } from './adapters/postgres-publishable-store.js';
import { PublishableStore } from './domain/publishable-store.js';
import { PublishableKeysService } from './publishable-keys.service.js';

@Module({
  providers: [PublishableKeysService, { provide: PublishableStore, useClass: PostgresPublishableStore }],
  exports: [PublishableKeysService],
})
export class PublishableKeysModule {}
