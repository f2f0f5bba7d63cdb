import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import type { EventPayloads } from '../../../../kernel/events.js';
import { newId } from '../../../../kernel/ids.js';
import type { Mode, Principal, TeamId } from '../../../../kernel/principal.js';
import { LimitReached, NotFound } from '../../../../kernel/errors.js';
import type { Page, PageRequest } from '../../../../kernel/page.js';
import { UnitOfWork } from '../../../../kernel/unit-of-work.js';
import { TeamsService } from '../../../identity/teams/team/teams.service.js';
import type { Delivery, DeliveryFilter, DeliverySummary } from '../domain/delivery.js';
import { WebhookQueue } from '../domain/webhook-queue.js';
import { DeliveryRepository } from '../domain/delivery.repository.js';
import { MAX_ATTEMPTS } from '../domain/schedule.js';
import { MAX_DELIVERIES, type WebhookId } from '../domain/webhook.js';
import { WebhookRepository } from '../domain/webhook.repository.js';
import { WebhooksService } from '../subscriptions/webhooks.service.js';

const ONE_ATTEMPT_LEFT = MAX_ATTEMPTS - 1;

interface IncomingEvent {
  readonly id: string;
  readonly type: string;
  readonly teamId: TeamId;
  readonly mode: Mode;
  /** As webhooks receive it. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly occurredAt: Date;
}

/** Creates deliveries of events, of tests too, lists them, and retries them. */
@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly subscriptions: WebhookRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly teams: TeamsService,
    private readonly queue: WebhookQueue,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates one delivery for each subscribed webhook, and disables those for which too many wait. Within the open
   * unit of work. Idempotent.
   */
  async fanOut({ id: eventId, type, teamId, mode, data, occurredAt }: IncomingEvent): Promise<void> {
    // The team is locked first, as its deletion does, to avoid a deadlock.
    if (!(await this.teams.lockShared(teamId))) return;
    const subscribed = await this.subscriptions.listSubscribed(teamId, mode, type, occurredAt);
    const overloaded = await this.deliveries.listOverloaded(subscribed);
    for (const id of overloaded) await this.webhooks.disableFailing(id);
    const webhooks = subscribed.filter((id) => !overloaded.includes(id));
    if (webhooks.length === 0) return;
    await this.deliveries.add(webhooks, { eventId, type, data, occurredAt }, this.clock.now());
    this.queue.enqueueAfterCommit(teamId);
  }

  /** @throws NotFound */
  async list(
    caller: Principal,
    id: WebhookId,
    filter: DeliveryFilter,
    page: PageRequest,
  ): Promise<Page<Delivery>> {
    await this.webhooks.get(caller, id);
    return this.deliveries.list(id, filter, page);
  }

  /** @throws NotFound */
  async get(caller: Principal, id: WebhookId, deliveryId: string): Promise<Delivery> {
    await this.webhooks.get(caller, id);
    return this.found(id, deliveryId);
  }

  /**
   * Sends a test event, whatever its subscriptions: with the whole schedule, or one attempt when it is
   * disabled.
   *
   * @throws NotFound, LiveKeyRequired, LimitReached
   */
  test(caller: Principal, id: WebhookId): Promise<Delivery> {
    return this.work.run(async () => {
      const webhook = await this.webhooks.lockForChange(caller, id);
      if ((await this.deliveries.listOverloaded([id])).length > 0)
        throw new LimitReached('pending_deliveries_of_a_webhook', MAX_DELIVERIES);
      const now = this.clock.now();
      const data = { webhook_id: id, mode: webhook.mode } satisfies EventPayloads['webhook.test'];
      const event = { eventId: newId('evt'), type: 'webhook.test', data, occurredAt: now };
      const [deliveryId = ''] = await this.deliveries.add([id], event, now);
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
      const tries = status === 'pending' ? null : ONE_ATTEMPT_LEFT;
      await this.deliveries.requeue(deliveryId, tries, this.clock.now());
      this.queue.enqueueAfterCommit(caller.teamId);
      return this.found(id, deliveryId);
    });
  }

  /**
   * Retries the failed deliveries since this time, each with one attempt.
   *
   * @returns how many: fewer than there are if too many would wait.
   * @throws NotFound, LiveKeyRequired
   */
  retryFailed(caller: Principal, id: WebhookId, since: Date): Promise<number> {
    return this.work.run(async () => {
      await this.webhooks.lockForChange(caller, id);
      const count = await this.deliveries.requeueFailed(id, since, ONE_ATTEMPT_LEFT, this.clock.now());
      if (count > 0) this.queue.enqueueAfterCommit(caller.teamId);
      return count;
    });
  }

  /** Of the latest deliveries of these webhooks of the team. */
  async summariesOf(webhooks: readonly { id: WebhookId }[]): Promise<(id: WebhookId) => DeliverySummary> {
    const found = await this.deliveries.summarize(webhooks.map(({ id }) => id));
    return (id) => found.get(id) ?? { lastAt: null, succeeded: 0, failed: 0, retrying: 0 };
  }

  /** Deletes ended deliveries beyond the latest of each webhook, in batches. @returns how many. */
  async deleteSurplus(): Promise<number> {
    let sum = 0;
    for (let count = -1; count !== 0; sum += count) count = await this.deliveries.deleteSurplus();
    return sum;
  }

  private async found(webhook: WebhookId, id: string): Promise<Delivery> {
    const delivery = await this.deliveries.find(webhook, id);
    if (delivery === null) throw new NotFound('There is no such delivery.');
    return delivery;
  }
}
