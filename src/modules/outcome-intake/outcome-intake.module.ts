import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { OutcomesModule } from '../outcomes/outcomes.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { VerificationModule } from '../verification/verification.module.js';
import { FetchSnsEndpoint } from './adapters/fetch-sns-endpoint.js';
import { PostgresSourceRepository } from './adapters/postgres-source.repository.js';
import { SourceRepository } from './domain/source.repository.js';
import { OutcomeIntakeController } from './outcome-intake.controller.js';
import { OutcomeIntakeService } from './outcome-intake.service.js';
import { OutcomeSourcesController } from './outcome-sources.controller.js';
import { OutcomeSourcesService } from './outcome-sources.service.js';
import { ProviderEventsService } from './provider-events.service.js';
import { SnsEndpoint } from './domain/sns-endpoint.js';

@Module({
  imports: [AccessModule, OutcomesModule, TeamsModule, VerificationModule],
  controllers: [OutcomeIntakeController, OutcomeSourcesController],
  providers: [
    OutcomeIntakeService,
    OutcomeSourcesService,
    ProviderEventsService,
    { provide: SourceRepository, useClass: PostgresSourceRepository },
    { provide: SnsEndpoint, useClass: FetchSnsEndpoint },
  ],
})
export class OutcomeIntakeModule {}
