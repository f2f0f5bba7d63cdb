import { Injectable } from '@nestjs/common';
import { WebhookSendingService, type FindVerdict } from './webhook-sending.service.js';

/** Who is rung for sends until nothing waits, whatever rang: whose turn it is, the database knows. */
@Injectable()
export class WebhooksProcessor {
  constructor(private readonly sending: WebhookSendingService) {}

  async deliver(signal: AbortSignal, verdictOf: FindVerdict): Promise<void> {
    while (!signal.aborted && (await this.sending.sendNext(verdictOf)));
  }
}
