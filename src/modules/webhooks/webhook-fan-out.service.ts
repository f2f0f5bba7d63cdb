import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { DomainEvent } from '../../kernel/domain-event.js';
import { publicEvent } from './event-catalogue.js';
import { DeliveryRepository } from './domain/delivery.repository.js';
import { WebhookRepository } from './domain/webhook.repository.js';
import { WebhookQueue } from './webhook-queue.service.js';

/** An event as the outbox tells it. */
interface IncomingEvent extends DomainEvent {
  readonly id: string;
  readonly occurredAt: Date;
}

/** What the fan-out is told by whoever wires it. */
export abstract class WebhookSettings {
  /** The service's address as callers see it. */
  abstract readonly publicUrl: string;
}

/** Makes of one event as many deliveries as there are webhooks that want to hear of it. */
@Injectable()
export class WebhookFanOutService {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly queue: WebhookQueue,
    private readonly settings: WebhookSettings,
    private readonly clock: Clock,
  ) {}

  /** Part of the open unit of work. Told twice, it makes nothing twice. */
  async fanOut(event: IncomingEvent): Promise<void> {
    const { id, type, teamId, occurredAt } = event;
    const { mode, data } = publicEvent(event, this.settings.publicUrl);
    const webhooks = await this.webhooks.listening(teamId, mode, type, occurredAt);
    if (webhooks.length === 0) return;
    await this.deliveries.add(
      webhooks,
      { eventId: id, teamId, mode, type, data, occurredAt },
      this.clock.now(),
    );
    this.queue.enqueueAfterCommit(await this.deliveries.idsOf(id, webhooks));
  }
}
