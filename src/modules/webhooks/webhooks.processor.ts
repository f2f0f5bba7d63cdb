import { Injectable } from '@nestjs/common';
import { RechecksService } from '../verification/rechecks.service.js';
import { toResponse } from '../verification/verification.dto.js';
import { WebhookSendingService } from './webhook-sending.service.js';

/** Sends deliveries until none is due, whichever job started it: the database decides which is next. */
@Injectable()
export class WebhooksProcessor {
  constructor(
    private readonly sending: WebhookSendingService,
    private readonly rechecks: RechecksService,
  ) {}

  async deliver(signal: AbortSignal): Promise<void> {
    const verdictOf = async (checkId: string) => {
      const verdict = await this.rechecks.verdict(checkId);
      return verdict && toResponse(verdict);
    };
    while (!signal.aborted && (await this.sending.sendNext(verdictOf)));
  }
}
