import { Processor } from '@nestjs/bullmq';
import { Clock } from '../../../kernel/clock.js';
import type { Lease } from '../../../platform/queue/lease.js';
import { TeamProcessor } from '../../../platform/queue/team-processor.js';
import { describeError, Log } from '../../../platform/telemetry/log.js';
import {
  RecheckQueue,
  RECHECKS_QUEUE,
  type ClaimedRecheck,
} from '../../verification/verification/rechecks/rechecks.service.js';
import { RecheckRunService } from './recheck-run.service.js';

/** Most rechecks wait for mail servers. */
const CONCURRENCY = 64;

/** `recheck` */
@Processor(RECHECKS_QUEUE, { concurrency: CONCURRENCY })
export class RechecksProcessor extends TeamProcessor<ClaimedRecheck> {
  constructor(
    jobs: RecheckQueue,
    clock: Clock,
    rechecks: RecheckRunService,
    private readonly log: Log,
  ) {
    super(jobs, clock, [rechecks]);
  }

  override work(lease: Lease<ClaimedRecheck>, signal: AbortSignal): Promise<void> {
    return super.work(lease, signal).catch((error: unknown) => {
      this.log.error({ check_id: lease.unit.id, err: describeError(error) }, 'recheck failed');
    });
  }
}
