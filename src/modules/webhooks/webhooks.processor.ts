import { Processor } from '@nestjs/bullmq';
import type { TeamId } from '../../kernel/principal.js';
import { TeamProcessor } from '../../platform/queue/team-processor.js';
import { RechecksService } from '../verification/rechecks.service.js';
import { toResponse } from '../verification/verification.dto.js';
import type { LeasedDelivery } from './domain/delivery.js';
import { DELIVERIES_QUEUE, WebhookQueue } from './domain/webhook-queue.js';
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

  override async work(claimed: LeasedDelivery): Promise<void> {
    await this.sending.send(claimed, await this.dataOf(claimed));
  }

  /** The data of the event. Its verdict is looked up at every attempt, so that an erased one is not sent. */
  private async dataOf({ type, data }: LeasedDelivery): Promise<object | null> {
    if (type !== 'verification.completed') return data;
    const verdict = await this.rechecks.findVerdict(String(data.check_id));
    return verdict && { ...data, verdict: toResponse(verdict) };
  }
}
