import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { newId } from '../../kernel/ids.js';
import type { Principal } from '../../kernel/principal.js';
import { NotFound } from '../../kernel/not-found.js';
import type { Page, PageRequest } from '../../kernel/page.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import type { Delivery, DeliveryStatus } from './domain/delivery.js';
import { DeliveryRepository } from './domain/delivery.repository.js';
import { MOST_TRIES } from './domain/schedule.js';
import type { WebhookId } from './domain/webhook.js';
import { webhookTest } from './domain/webhooks.events.js';
import { WebhookQueue } from './webhook-queue.service.js';
import { WebhooksService } from './webhooks.service.js';

/** One attempt is left to it. */
const ONCE_MORE = MOST_TRIES - 1;

/** What was sent to a webhook, and what its people send by hand. */
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
    return this.deliveries.findByWebhook(id, status, page);
  }

  /**
   * Sends it a test, whatever it wants to hear of: on the whole schedule, or just once where it is
   * disabled.
   *
   * @throws NotFound, LiveKeyRequired
   */
  test(caller: Principal, id: WebhookId): Promise<Delivery> {
    return this.work.run(async () => {
      const webhook = await this.webhooks.toManage(caller, id);
      const now = this.clock.now();
      const { type, teamId, data } = webhookTest(webhook);
      const news = { eventId: newId('evt'), teamId, mode: webhook.mode, type, data, occurredAt: now };
      await this.deliveries.add([id], news, now);
      const [deliveryId = ''] = await this.deliveries.idsOf(news.eventId, [id]);
      if (!webhook.isEnabled) await this.deliveries.requeue(deliveryId, ONCE_MORE, now);
      this.queue.enqueueAfterCommit([deliveryId]);
      return this.found(id, deliveryId);
    });
  }

  /**
   * Sends it now. One that was over is sent just once more; the schedule of one that still waits goes on.
   *
   * @throws NotFound, LiveKeyRequired
   */
  retry(caller: Principal, id: WebhookId, deliveryId: string): Promise<Delivery> {
    return this.work.run(async () => {
      await this.webhooks.toManage(caller, id);
      const { status } = await this.found(id, deliveryId);
      await this.deliveries.requeue(deliveryId, status === 'pending' ? null : ONCE_MORE, this.clock.now());
      this.queue.enqueueAfterCommit([deliveryId]);
      return this.found(id, deliveryId);
    });
  }

  private async found(webhook: WebhookId, id: string): Promise<Delivery> {
    const delivery = await this.deliveries.get(webhook, id);
    if (delivery === null) throw new NotFound('There is no such delivery.');
    return delivery;
  }
}
