import { Module } from '@nestjs/common';
import { Erasures } from '../../platform/database/erasures.js';
import { QueueConsumers } from '../../platform/queue/queue-consumers.js';
import { ScheduledTasks } from '../../platform/time/scheduled-tasks.js';
import { AddressFactsService } from './address-facts.service.js';
import { RecheckQueue, RECHECKS_QUEUE } from './recheck-queue.service.js';
import { RechecksProcessor } from './rechecks.processor.js';
import { RechecksService } from './rechecks.service.js';
import { VerificationModule } from './verification.module.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** Most rechecks wait for mail servers. */
const RECHECKS_AT_ONCE = 64;

@Module({ imports: [VerificationModule], providers: [RechecksProcessor] })
export class VerificationWorkerModule {
  constructor(
    tasks: ScheduledTasks,
    consumers: QueueConsumers,
    erasures: Erasures,
    processor: RechecksProcessor,
    facts: AddressFactsService,
    rechecks: RechecksService,
    queue: RecheckQueue,
  ) {
    consumers.add({
      queue: RECHECKS_QUEUE,
      concurrency: RECHECKS_AT_ONCE,
      handler: (_, signal) => processor.recheck(signal),
    });
    tasks.add(
      { name: 'enqueue rechecks', everyMs: 5 * SECOND_MS, run: () => queue.enqueueDue() },
      { name: 'delete expired facts', everyMs: MINUTE_MS, run: () => facts.eraseExpired() },
      { name: 'delete verdicts of rechecks', everyMs: MINUTE_MS, run: () => rechecks.eraseDue() },
    );
    erasures.add(
      'team',
      (team) => facts.deleteByTeam(team),
      (team) => rechecks.deleteByTeam(team),
    );
  }
}
