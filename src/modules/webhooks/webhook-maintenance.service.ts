import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { DeliveryRepository } from './domain/delivery.repository.js';
import type { WebhookId } from './domain/webhook.js';
import { WebhookQueue } from './domain/webhook-queue.js';

/** How long deliveries can be listed. */
const RETENTION_MS = 30 * 24 * 3_600_000;

/** Periodic sweeps that enqueue due deliveries and delete old ones. */
@Injectable()
export class WebhookMaintenanceService {
  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly queue: WebhookQueue,
    private readonly clock: Clock,
  ) {}

  /** Enqueues jobs of teams with deliveries that are due, or whose job or worker was lost. @returns how many teams. */
  async enqueueDue(): Promise<number> {
    const teams = await this.deliveries.teamsWithDue(this.clock.now());
    await this.queue.enqueue(teams);
    return teams.length;
  }

  /** Deletes the deliveries of a deleted webhook. @returns how many. */
  deleteByWebhook(webhook: WebhookId): Promise<number> {
    return this.deliveries.deleteByWebhook(webhook);
  }

  /** @returns the number of deleted deliveries. */
  deleteOld(): Promise<number> {
    return this.deliveries.deleteMadeBefore(new Date(this.clock.now().getTime() - RETENTION_MS));
  }
}
