import type { Page, PageRequest } from '../../../kernel/page.js';
import type {
  Attempt,
  Delivery,
  DeliveryStatus,
  LeasedDelivery,
  EventToDeliver,
  DeliveryStep,
} from './delivery.js';
import type { WebhookId } from './webhook.js';

/** Port: pending and past deliveries. */
export abstract class DeliveryRepository {
  /** Adds a delivery to each of these webhooks, due now; an existing delivery of the event is not changed. */
  abstract add(webhooks: readonly WebhookId[], event: EventToDeliver, now: Date): Promise<void>;

  abstract find(webhook: WebhookId, id: string): Promise<Delivery | null>;

  /** The deliveries of an event to these webhooks. */
  abstract listIds(eventId: string, webhooks: readonly WebhookId[]): Promise<string[]>;

  /** Newest first. @param status null: any. */
  abstract listByWebhook(
    webhook: WebhookId,
    status: DeliveryStatus | null,
    page: PageRequest,
  ): Promise<Page<Delivery>>;

  /**
   * Makes it due now; a running attempt continues. @param tries steps of the schedule already done;
   * null: unchanged.
   */
  abstract requeue(id: string, tries: number | null, now: Date): Promise<void>;

  /** Fails the pending deliveries of this webhook. */
  abstract failPending(webhook: WebhookId): Promise<void>;

  /**
   * Claims the next due delivery: of the webhooks with the fewest claims, the least recently served.
   * Claims are limited per webhook and per team.
   */
  abstract claim(now: Date): Promise<LeasedDelivery | null>;

  /** Within the open unit of work, after its webhook is locked. @returns false when the lease was lost. */
  abstract record(claimed: LeasedDelivery, attempt: Attempt, step: DeliveryStep): Promise<boolean>;

  /** Some that are due and not claimed. */
  abstract listWaiting(now: Date): Promise<string[]>;

  /** Deletes them, in batches. @returns how many. */
  abstract deleteMadeBefore(time: Date): Promise<number>;

  /** Deletes those of a deleted webhook, in batches. @returns how many. */
  abstract deleteByWebhook(webhook: WebhookId): Promise<number>;
}
