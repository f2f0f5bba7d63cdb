import { Processor } from '@nestjs/bullmq';
import type { TeamId } from '../../kernel/principal.js';
import { TeamProcessor } from '../../platform/queue/team-processor.js';
import { RechecksService } from '../verification/rechecks.service.js';
import { toResponse } from '../verification/verification.dto.js';
import { DELIVERIES_QUEUE, WebhookQueue, type LeasedDelivery } from './domain/delivery.js';
import { WebhookSendingService } from './webhook-sending.service.js';

/** Most deliveries wait for their receivers. */
const CONCURRENCY = 64;

@Processor(DELIVERIES_QUEUE, { concurrency: CONCURRENCY })
export class WebhooksProcessor extends TeamProcessor<LeasedDelivery> {
  constructor(
    jobs: WebhookQueue,
    private readonly sending: WebhookSendingService,
    private readonly rechecks: RechecksService,
  ) {
    super(jobs);
  }

  override claim(team: TeamId): Promise<LeasedDelivery | null> {
    return this.sending.claim(team);
  }

  override work(claimed: LeasedDelivery): Promise<void> {
    return this.sending.send(claimed, (checkId) => this.verdictOf(checkId));
  }

  private async verdictOf(checkId: string): Promise<object | null> {
    const verdict = await this.rechecks.findVerdict(checkId);
    return verdict && toResponse(verdict);
  }
}
