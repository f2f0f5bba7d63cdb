import { Module } from '@nestjs/common';
import { ThreadsModule } from '../../../platform/threads/threads.module.js';
import { AccessModule } from '../../identity/access/access.module.js';
import { OutcomesModule } from '../../verification/outcomes/outcomes.module.js';
import { TeamsModule } from '../../identity/teams/teams.module.js';
import { VerificationModule } from '../../verification/verification/verification.module.js';
import { FetchSnsEndpoint } from './adapters/fetch-sns-endpoint.js';
import { PostgresSourceRepository } from './adapters/postgres-source.repository.js';
import { ThreadEventReader } from './adapters/thread-event-reader.js';
import { EventReader } from './domain/providers/event-reader.js';
import { SourceRepository } from './domain/sources/source.repository.js';
import { OutcomeIntakeController } from './outcome-intake.controller.js';
import { OutcomeIntakeService } from './outcome-intake.service.js';
import { OutcomeSourcesController } from './outcome-sources.controller.js';
import { OutcomeSourcesService } from './outcome-sources.service.js';
import { ProviderEventsService } from './provider-events.service.js';
import { SnsEndpoint } from './domain/sns-endpoint.js';

@Module({
  imports: [AccessModule, OutcomesModule, TeamsModule, ThreadsModule, VerificationModule],
  controllers: [OutcomeIntakeController, OutcomeSourcesController],
  providers: [
    OutcomeIntakeService,
    OutcomeSourcesService,
    ProviderEventsService,
    { provide: SourceRepository, useClass: PostgresSourceRepository },
    { provide: EventReader, useClass: ThreadEventReader },
    { provide: SnsEndpoint, useClass: FetchSnsEndpoint },
  ],
})
export class OutcomeIntakeModule {}
