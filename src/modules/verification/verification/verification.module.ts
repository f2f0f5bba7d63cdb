import { Module } from '@nestjs/common';
import { QueueModule } from '../../../platform/queue/queue.module.js';
import { BlocklistModule } from '../blocklist/blocklist.module.js';
import { DisposableModule } from '../disposable/disposable.module.js';
import { OutcomesModule } from '../outcomes/outcomes.module.js';
import { PolicyModule } from '../policy/policy.module.js';
import { ProofsModule } from '../proofs/proofs.module.js';
import { PublishableKeysModule } from '../../identity/publishable-keys/publishable-keys.module.js';
import { TeamsModule } from '../../identity/teams/teams.module.js';
import { TiersModule } from '../../identity/tiers/tiers.module.js';
import { UsageModule } from '../../identity/usage/usage.module.js';
import { PostgresAddressFactsRepository } from './adapters/postgres-address-facts.repository.js';
import { PostgresRecheckRepository } from './adapters/postgres-recheck.repository.js';
import { AddressFactsService } from './facts/address-facts.service.js';
import { AddressFactsRepository } from './domain/address-facts.repository.js';
import { RecheckQueue, RECHECKS_QUEUE } from './domain/recheck-queue.js';
import { RecheckRepository } from './domain/recheck.repository.js';
import { DomainsController } from './domains/domains.controller.js';
import { DomainsService } from './domains/domains.service.js';
import { MailServersModule } from '../mail-servers/mail-servers.module.js';
import { RechecksService } from './rechecks/rechecks.service.js';
import { VerificationController } from './single/verification.controller.js';
import { VerificationService } from './single/verification.service.js';
import { AddressOverviewsService } from './lists/address-overviews.service.js';
import { VerifyChunkService } from './lists/verify-chunk.service.js';
import { VisitorVerificationService } from './single/visitor-verification.service.js';

const QUEUE = QueueModule.registerQueue(RECHECKS_QUEUE, RecheckQueue, 'recheck');

@Module({
  imports: [
    QUEUE,
    MailServersModule,
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
    AddressOverviewsService,
    DomainsService,
    AddressFactsService,
    RechecksService,
    { provide: RecheckRepository, useClass: PostgresRecheckRepository },
    { provide: AddressFactsRepository, useClass: PostgresAddressFactsRepository },
  ],
  exports: [
    QUEUE,
    VerificationService,
    AddressOverviewsService,
    VerifyChunkService,
    DomainsService,
    AddressFactsService,
    RechecksService,
    RecheckRepository,
  ],
})
export class VerificationModule {}
