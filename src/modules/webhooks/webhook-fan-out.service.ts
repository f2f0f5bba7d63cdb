import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { DomainEvent } from '../../kernel/events.js';
import { PublicUrl } from '../../kernel/public-url.js';
import { TeamsService } from '../teams/teams.service.js';
import { publicEvent } from './event-catalogue.js';
import { DeliveryRepository } from './domain/delivery.repository.js';
import { WebhookRepository } from './domain/webhook.repository.js';
import { WebhookQueue } from './domain/webhook-queue.js';

/** An event from the outbox. */
interface IncomingEvent extends DomainEvent {
  readonly id: string;
  readonly occurredAt: Date;
}

/** Creates one delivery of an event for each subscribed webhook. */
@Injectable()
export class WebhookFanOutService {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly teams: TeamsService,
    private readonly queue: WebhookQueue,
    private readonly service: PublicUrl,
    private readonly clock: Clock,
  ) {}

  /** Within the open unit of work. Idempotent. */
  async fanOut(event: IncomingEvent): Promise<void> {
    const { id, type, teamId, occurredAt } = event;
    const { mode, data } = publicEvent(event, this.service.publicUrl);
    // The team is locked first, as its deletion does, to avoid a deadlock.
    if (!(await this.teams.lockShared(teamId))) return;
    const webhooks = await this.webhooks.listSubscribed(teamId, mode, type, occurredAt);
    if (webhooks.length === 0) return;
    await this.deliveries.add(
      webhooks,
      { eventId: id, teamId, mode, type, data, occurredAt },
      this.clock.now(),
    );
    this.queue.enqueueAfterCommit(teamId);
  }
}
