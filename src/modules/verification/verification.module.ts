import { Module } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { PostgresUnitOfWork } from '../../platform/database/postgres-unit-of-work.js';
import { SecretKeys } from '../../platform/secrets/secret-keys.js';
import { describeFault, Log } from '../../platform/telemetry/log.js';
import { BlocklistModule } from '../blocklist/blocklist.module.js';
import { DisposableModule } from '../disposable/disposable.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { TiersModule } from '../tiers/tiers.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { PostgresAddressErasureRepository } from './adapters/postgres-address-erasure.repository.js';
import { PostgresAddressFactsRepository } from './adapters/postgres-address-facts.repository.js';
import { PostgresRecheckRepository } from './adapters/postgres-recheck.repository.js';
import { AddressErasureService } from './address-erasure.service.js';
import { AddressFactsService } from './address-facts.service.js';
import { AddressErasureRepository } from './domain/address-erasure.repository.js';
import { AddressFactsRepository } from './domain/address-facts.repository.js';
import { RecheckRepository } from './domain/recheck.repository.js';
import { EngineModule } from './engine.module.js';
import { RecheckQueue } from './recheck-queue.service.js';
import { RechecksProcessor } from './rechecks.processor.js';
import { RecheckSettings, RechecksService } from './rechecks.service.js';
import { VerificationController } from './verification.controller.js';
import { VerificationService } from './verification.service.js';

@Module({
  imports: [EngineModule, BlocklistModule, DisposableModule, TeamsModule, TiersModule, UsageModule],
  controllers: [VerificationController],
  providers: [
    VerificationService,
    AddressFactsService,
    RechecksService,
    RechecksProcessor,
    RecheckQueue,
    AddressErasureService,
    {
      provide: AddressErasureRepository,
      useFactory: (work: PostgresUnitOfWork) => new PostgresAddressErasureRepository(work),
      inject: [PostgresUnitOfWork],
    },
    {
      provide: RecheckRepository,
      useFactory: (work: PostgresUnitOfWork, keys: SecretKeys) => new PostgresRecheckRepository(work, keys),
      inject: [PostgresUnitOfWork, SecretKeys],
    },
    {
      provide: RecheckSettings,
      useFactory: (log: Log): RecheckSettings => ({
        onFailure: (recheckId, error) =>
          log.error({ check_id: recheckId, err: describeFault(error) }, 'recheck failed'),
      }),
      inject: [Log],
    },
    {
      provide: AddressFactsRepository,
      useFactory: (work: PostgresUnitOfWork, keys: SecretKeys, clock: Clock) =>
        new PostgresAddressFactsRepository(work, keys, clock),
      inject: [PostgresUnitOfWork, SecretKeys, Clock],
    },
  ],
  exports: [
    VerificationService,
    AddressFactsService,
    AddressErasureService,
    RechecksService,
    RechecksProcessor,
    RecheckQueue,
  ],
})
export class VerificationModule {}
