import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { RechecksService } from '../verification/rechecks.service.js';
import { toResponse } from '../verification/verification.dto.js';
import { DELIVERIES_QUEUE } from './domain/webhook-queue.js';
import { WebhookSendingService } from './webhook-sending.service.js';

/** Most deliveries wait for their receivers. */
const CONCURRENCY = 64;

/** `deliver-webhook`: the database selects the next delivery, independently of the queue job. */
@Processor(DELIVERIES_QUEUE, { concurrency: CONCURRENCY })
export class WebhooksProcessor extends WorkerHost {
  constructor(
    private readonly sending: WebhookSendingService,
    private readonly rechecks: RechecksService,
  ) {
    super();
  }

  /** @param signal aborts when the process shuts down. */
  override async process(_job: Job, _token?: string, signal = new AbortController().signal): Promise<void> {
    await this.sending.sendDue((checkId) => this.verdictOf(checkId), signal);
  }

  private async verdictOf(checkId: string): Promise<object | null> {
    const verdict = await this.rechecks.verdict(checkId);
    return verdict && toResponse(verdict);
  }
}
