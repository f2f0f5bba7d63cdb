import { Module } from '@nestjs/common';
import { QueueModule } from '../../platform/queue/queue.module.js';
import { BlocklistModule } from '../blocklist/blocklist.module.js';
import { DisposableModule } from '../disposable/disposable.module.js';
import { OutcomesModule } from '../outcomes/outcomes.module.js';
import { PolicyModule } from '../policy/policy.module.js';
import { ProofsModule } from '../proofs/proofs.module.js';
import { PublishableKeysModule } from '../publishable-keys/publishable-keys.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { TiersModule } from '../tiers/tiers.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { PostgresAddressFactsRepository } from './adapters/postgres-address-facts.repository.js';
import { PostgresRecheckRepository } from './adapters/postgres-recheck.repository.js';
import { AddressFactsService } from './address-facts.service.js';
import { AddressFactsRepository } from './domain/address-facts.repository.js';
import { RecheckQueue, RECHECKS_QUEUE } from './domain/recheck-queue.js';
import { RecheckRepository } from './domain/recheck.repository.js';
import { DomainsController } from './domains.controller.js';
import { DomainsService } from './domains.service.js';
import { EngineModule } from './engine.module.js';
import { RechecksService } from './rechecks.service.js';
import { VerificationController } from './verification.controller.js';
import { VerificationService } from './verification.service.js';
import { AddressesAtSightService } from './addresses-at-sight.service.js';
import { VerifyChunkService } from './verify-chunk.service.js';
import { VisitorVerificationService } from './visitor-verification.service.js';

const QUEUE = QueueModule.registerQueue(RECHECKS_QUEUE, RecheckQueue, 'recheck');

@Module({
  imports: [
    QUEUE,
    EngineModule,
    BlocklistModule,
    DisposableModule,
    OutcomesModule,
    PolicyModule,
    ProofsModule,
    PublishableKeysModule,
    TeamsModule,
    TiersModule,
    UsageModule,
  ],
  controllers: [VerificationController, DomainsController],
  providers: [
    VerificationService,
    VisitorVerificationService,
    VerifyChunkService,
    AddressesAtSightService,
    DomainsService,
    AddressFactsService,
    RechecksService,
    { provide: RecheckRepository, useClass: PostgresRecheckRepository },
    { provide: AddressFactsRepository, useClass: PostgresAddressFactsRepository },
  ],
  exports: [
    QUEUE,
    VerificationService,
    AddressesAtSightService,
    VerifyChunkService,
    DomainsService,
    AddressFactsService,
    RechecksService,
    RecheckRepository,
  ],
})
export class VerificationModule {}
