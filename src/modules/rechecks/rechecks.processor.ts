import { Processor } from '@nestjs/bullmq';
import type { TeamId } from '../../kernel/principal.js';
import { TeamProcessor } from '../../platform/queue/team-processor.js';
import { describeError, Log } from '../../platform/telemetry/log.js';
import { RecheckQueue, RECHECKS_QUEUE, type ClaimedRecheck } from '../verification/rechecks.service.js';
import { RecheckRunService } from './recheck-run.service.js';

/** Most rechecks wait for mail servers. */
const CONCURRENCY = 64;

/** `recheck` */
@Processor(RECHECKS_QUEUE, { concurrency: CONCURRENCY })
export class RechecksProcessor extends TeamProcessor<ClaimedRecheck> {
  constructor(
    jobs: RecheckQueue,
    private readonly rechecks: RecheckRunService,
    private readonly log: Log,
  ) {
    super(jobs);
  }

  override claim(team: TeamId): Promise<ClaimedRecheck | null> {
    return this.rechecks.claim(team);
  }

  override work(claimed: ClaimedRecheck, signal: AbortSignal): Promise<void> {
    return this.rechecks.run(claimed, signal).catch((error: unknown) => {
      this.log.error({ check_id: claimed.id, err: describeError(error) }, 'recheck failed');
    });
  }
}
