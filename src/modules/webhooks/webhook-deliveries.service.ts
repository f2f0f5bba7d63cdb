import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { newId } from '../../kernel/ids.js';
import type { Principal } from '../../kernel/principal.js';
import { NotFound } from '../../kernel/errors.js';
import type { Page, PageRequest } from '../../kernel/page.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import type { Delivery, DeliveryStatus, DeliveryWithEvent } from './domain/delivery.js';
import { DeliveryRepository } from './domain/delivery.repository.js';
import { MAX_ATTEMPTS } from './domain/schedule.js';
import type { WebhookId } from './domain/webhook.js';
import { webhookTest } from './domain/webhooks.events.js';
import { WebhookQueue } from './domain/webhook-queue.js';
import { WebhooksService } from './webhooks.service.js';

/** One attempt is left. */
const ONE_ATTEMPT_LEFT = MAX_ATTEMPTS - 1;

/** Lists deliveries, and sends test events and manual retries. */
@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveryRepository,
    private readonly queue: WebhookQueue,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFound */
  async list(
    caller: Principal,
    id: WebhookId,
    status: DeliveryStatus | null,
    page: PageRequest,
  ): Promise<Page<Delivery>> {
    await this.webhooks.get(caller, id);
    return this.deliveries.listByWebhook(id, status, page);
  }

  /** @throws NotFound */
  async get(caller: Principal, id: WebhookId, deliveryId: string): Promise<DeliveryWithEvent> {
    await this.webhooks.get(caller, id);
    return this.found(id, deliveryId);
  }

  /**
   * Sends a test event, whatever its subscriptions: with the whole schedule, or one attempt when it is
   * disabled.
   *
   * @throws NotFound, LiveKeyRequired
   */
  test(caller: Principal, id: WebhookId): Promise<Delivery> {
    return this.work.run(async () => {
      const webhook = await this.webhooks.lockForChange(caller, id);
      const now = this.clock.now();
      const { type, teamId, data } = webhookTest(webhook);
      const event = { eventId: newId('evt'), teamId, mode: webhook.mode, type, data, occurredAt: now };
      await this.deliveries.add([id], event, now);
      const [deliveryId = ''] = await this.deliveries.listIds(event.eventId, [id]);
      if (!webhook.isEnabled) await this.deliveries.requeue(deliveryId, ONE_ATTEMPT_LEFT, now);
      this.queue.enqueueAfterCommit(caller.teamId);
      return this.found(id, deliveryId);
    });
  }

  /**
   * Retries it now. A delivery that has ended gets one attempt; the schedule of a pending one
   * continues.
   *
   * @throws NotFound, LiveKeyRequired
   */
  retry(caller: Principal, id: WebhookId, deliveryId: string): Promise<Delivery> {
    return this.work.run(async () => {
      await this.webhooks.lockForChange(caller, id);
      const { status } = await this.found(id, deliveryId);
      await this.deliveries.requeue(
        deliveryId,
        status === 'pending' ? null : ONE_ATTEMPT_LEFT,
        this.clock.now(),
      );
      this.queue.enqueueAfterCommit(caller.teamId);
      return this.found(id, deliveryId);
    });
  }

  private async found(webhook: WebhookId, id: string): Promise<DeliveryWithEvent> {
    const delivery = await this.deliveries.find(webhook, id);
    if (delivery === null) throw new NotFound('There is no such delivery.');
    return delivery;
  }
}
