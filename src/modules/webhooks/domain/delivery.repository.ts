import type { Page, PageRequest } from '../../../kernel/page.js';
import type { Attempt, Delivery, DeliveryStatus, LeasedDelivery, EventToDeliver, Step } from './delivery.js';
import type { WebhookId } from './webhook.js';

/** Port: what is to be sent, and what was. */
export abstract class DeliveryRepository {
  /** To each of these webhooks, to be sent at once; one that has the event already keeps it as it is. */
  abstract add(webhooks: readonly WebhookId[], news: EventToDeliver, now: Date): Promise<void>;

  abstract get(webhook: WebhookId, id: string): Promise<Delivery | null>;

  /** The deliveries of an event to these webhooks. */
  abstract idsOf(eventId: string, webhooks: readonly WebhookId[]): Promise<string[]>;

  /** Newest first. @param status null: any. */
  abstract findByWebhook(
    webhook: WebhookId,
    status: DeliveryStatus | null,
    page: PageRequest,
  ): Promise<Page<Delivery>>;

  /** It is due now; whoever has it in hand goes on. @param tries steps of the schedule behind it; null: as many as there are. */
  abstract requeue(id: string, tries: number | null, now: Date): Promise<void>;

  /** Those that wait for this webhook are not sent any more. */
  abstract failPending(webhook: WebhookId): Promise<void>;

  /**
   * The next delivery that is due, of the webhook whose turn it is: of those that have the fewest in
   * hand, the one served longest ago. A webhook never has more than a few in hand, nor has a team many.
   */
  abstract claim(now: Date): Promise<LeasedDelivery | null>;

  /** Part of the open unit of work, after its webhook is held. @returns false: it is no longer ours. */
  abstract record(held: LeasedDelivery, attempt: Attempt, step: Step): Promise<boolean>;

  /** Some that are due and that nobody has in hand. */
  abstract waiting(now: Date): Promise<string[]>;

  /** Erases them, in batches. @returns how many. */
  abstract eraseMadeBefore(time: Date): Promise<number>;

  /** Erases those of a webhook that is gone, in batches. @returns how many. */
  abstract deleteByWebhook(webhook: WebhookId): Promise<number>;
}
