import { Processor } from '@nestjs/bullmq';
import { Clock } from '../../../../kernel/clock.js';
import { TeamProcessor } from '../../../../platform/queue/team-processor.js';
import { RechecksService } from '../../../verification/verification/rechecks/rechecks.service.js';
import { toResponse } from '../../../verification/verification/single/verification.dto.js';
import type { LeasedDelivery } from '../domain/delivery.js';
import { DELIVERIES_QUEUE, WebhookQueue } from '../domain/webhook-queue.js';
import { WebhookSendingService } from './webhook-sending.service.js';

/** Most deliveries wait for their receivers. */
const CONCURRENCY = 64;
/** An attempt that could not be recorded is not counted, so that it is not repeated at once. */
const PAUSE_SECONDS = 60;

@Processor(DELIVERIES_QUEUE, { concurrency: CONCURRENCY })
export class WebhooksProcessor extends TeamProcessor<LeasedDelivery> {
  constructor(jobs: WebhookQueue, clock: Clock, sending: WebhookSendingService, rechecks: RechecksService) {
    const run = async (claimed: LeasedDelivery) => {
      await sending.send(claimed, await dataOf(claimed, rechecks));
      return null;
    };
    super(jobs, clock, [{ units: sending.deliveries, run, pauseAfter: () => PAUSE_SECONDS }]);
  }
}

/** The data of the event. Its verdict is looked up at every attempt, so that an erased one is not sent. */
async function dataOf({ type, data }: LeasedDelivery, rechecks: RechecksService): Promise<object | null> {
  if (type !== 'verification.completed') return data;
  const verdict = await rechecks.findVerdict(String(data.check_id));
  return verdict && { ...data, verdict: toResponse(verdict) };
}
