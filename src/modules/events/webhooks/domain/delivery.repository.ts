import type { Page, PageRequest } from '../../../../kernel/page.js';
import { TeamWork } from '../../../../kernel/queue/team-work.js';
import type {
  Attempt,
  Delivery,
  DeliveryFilter,
  DeliverySummary,
  LeasedDelivery,
  EventToDeliver,
  DeliveryStep,
} from './delivery.js';
import type { WebhookId } from './webhook.js';

/**
 * Port: the deliveries. The next one of a team is of the webhook with the fewest claims, which are limited per webhook and
 * per team.
 */
export abstract class DeliveryRepository extends TeamWork<LeasedDelivery> {
  /**
   * Adds a delivery to each of these webhooks, due now; an existing delivery of the event is not changed.
   *
   * @returns the ids of the new ones.
   */
  abstract add(webhooks: readonly WebhookId[], event: EventToDeliver, now: Date): Promise<string[]>;

  abstract find(webhook: WebhookId, id: string): Promise<Delivery | null>;

  /** Newest first. */
  abstract list(webhook: WebhookId, filter: DeliveryFilter, page: PageRequest): Promise<Page<Delivery>>;

  /** Of the latest deliveries of each webhook that has some. */
  abstract summarize(webhooks: readonly WebhookId[]): Promise<ReadonlyMap<WebhookId, DeliverySummary>>;

  /**
   * Makes it due now; a running attempt continues. @param tries steps of the schedule already done;
   * null: unchanged.
   */
  abstract requeue(id: string, tries: number | null, now: Date): Promise<void>;

  /**
   * Makes failed ones due now, the oldest first, as long as no more than `MAX_DELIVERIES` wait.
   * @param since created since this time.
   * @returns how many.
   */
  abstract requeueFailed(webhook: WebhookId, since: Date, tries: number, now: Date): Promise<number>;

  abstract failPending(webhook: WebhookId): Promise<void>;

  /** Within the open unit of work, after its webhook is locked. @returns false when the lease was lost. */
  abstract addAttempt(claimed: LeasedDelivery, attempt: Attempt, step: DeliveryStep): Promise<boolean>;

  /** Those of the webhooks that have more than `MAX_DELIVERIES` waiting ones. */
  abstract listOverloaded(webhooks: readonly WebhookId[]): Promise<WebhookId[]>;

  /** Deletes some ended deliveries beyond the latest `MAX_DELIVERIES` of each webhook. @returns how many. */
  abstract deleteSurplus(): Promise<number>;
}
