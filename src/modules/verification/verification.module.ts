import { Module } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { PostgresUnitOfWork } from '../../platform/database/postgres-unit-of-work.js';
import { SecretKeys } from '../../platform/secrets/secret-keys.js';
import { BlocklistModule } from '../blocklist/blocklist.module.js';
import { DisposableModule } from '../disposable/disposable.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { TiersModule } from '../tiers/tiers.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { PostgresAddressErasureRepository } from './adapters/postgres-address-erasure.repository.js';
import { PostgresAddressFactsRepository } from './adapters/postgres-address-facts.repository.js';
import { PostgresPutOffChecksRepository } from './adapters/postgres-put-off-checks.repository.js';
import { AddressErasureService } from './address-erasure.service.js';
import { AskingAgainService } from './asking-again.service.js';
import { AddressErasureRepository } from './domain/address-erasure.repository.js';
import { AddressFactsRepository } from './domain/address-facts.repository.js';
import { PutOffChecksRepository } from './domain/put-off-checks.repository.js';
import { EngineModule } from './engine.module.js';
import { VerificationController } from './verification.controller.js';
import { VerificationService } from './verification.service.js';

@Module({
  imports: [EngineModule, BlocklistModule, DisposableModule, TeamsModule, TiersModule, UsageModule],
  controllers: [VerificationController],
  providers: [
    VerificationService,
    AskingAgainService,
    AddressErasureService,
    {
      provide: AddressErasureRepository,
      useFactory: (work: PostgresUnitOfWork) => new PostgresAddressErasureRepository(work),
      inject: [PostgresUnitOfWork],
    },
    {
      provide: PutOffChecksRepository,
      useFactory: (work: PostgresUnitOfWork, keys: SecretKeys) =>
        new PostgresPutOffChecksRepository(work, keys),
      inject: [PostgresUnitOfWork, SecretKeys],
    },
    {
      provide: AddressFactsRepository,
      useFactory: (work: PostgresUnitOfWork, keys: SecretKeys, clock: Clock) =>
        new PostgresAddressFactsRepository(work, keys, clock),
      inject: [PostgresUnitOfWork, SecretKeys, Clock],
    },
  ],
  exports: [VerificationService, AskingAgainService, AddressErasureService],
})
export class VerificationModule {}
