import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { DeliveryRepository } from './domain/delivery.repository.js';
import type { WebhookId } from './domain/webhook.js';
import { WebhookQueue } from './webhook-queue.service.js';

/** How long it can be seen what was sent. */
const KEPT_MS = 30 * 24 * 3_600_000;

/** What sweeps do so that nothing waits for ever, and nothing stays for ever. */
@Injectable()
export class WebhookMaintenanceService {
  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly queue: WebhookQueue,
    private readonly clock: Clock,
  ) {}

  /** Rings for what is due: its time has come, its ring was lost, or whoever had it died. @returns for how many. */
  async enqueueDue(): Promise<number> {
    const waiting = await this.deliveries.waiting(this.clock.now());
    if (waiting.length > 0) await this.queue.enqueue(waiting);
    return waiting.length;
  }

  /** What is left of a webhook that was deleted. @returns how many deliveries. */
  deleteByWebhook(webhook: WebhookId): Promise<number> {
    return this.deliveries.deleteByWebhook(webhook);
  }

  /** @returns how many deliveries. */
  deleteOld(): Promise<number> {
    return this.deliveries.eraseMadeBefore(new Date(this.clock.now().getTime() - KEPT_MS));
  }
}
