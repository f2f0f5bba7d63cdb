import type { Page, PageRequest } from '../../../kernel/page.js';
import type { TeamId } from '../../../kernel/principal.js';
import type {
  Attempt,
  Delivery,
  DeliveryStatus,
  LeasedDelivery,
  EventToDeliver,
  DeliveryStep,
} from './delivery.js';
import type { WebhookId } from './webhook.js';

export abstract class DeliveryRepository {
  /**
   * Adds a delivery to each of these webhooks, due now; an existing delivery of the event is not changed.
   *
   * @returns the ids of the new ones.
   */
  abstract add(webhooks: readonly WebhookId[], event: EventToDeliver, now: Date): Promise<string[]>;

  abstract find(webhook: WebhookId, id: string): Promise<Delivery | null>;

  /** Newest first. @param status null: any. */
  abstract list(
    webhook: WebhookId,
    status: DeliveryStatus | null,
    page: PageRequest,
  ): Promise<Page<Delivery>>;

  /**
   * Makes it due now; a running attempt continues. @param tries steps of the schedule already done;
   * null: unchanged.
   */
  abstract requeue(id: string, tries: number | null, now: Date): Promise<void>;

  abstract failPending(webhook: WebhookId): Promise<void>;

  /**
   * Claims the next due delivery of the team: of the webhook with the fewest claims. Claims are limited per
   * webhook and per team.
   */
  abstract claim(team: TeamId, now: Date): Promise<LeasedDelivery | null>;

  /** Within the open unit of work, after its webhook is locked. @returns false when the lease was lost. */
  abstract addAttempt(claimed: LeasedDelivery, attempt: Attempt, step: DeliveryStep): Promise<boolean>;

  /** Those of the webhooks that have more than `MAX_DELIVERIES` waiting ones. */
  abstract listOverloaded(webhooks: readonly WebhookId[]): Promise<WebhookId[]>;

  /** Deletes some ended deliveries beyond the latest `MAX_DELIVERIES` of each webhook. @returns how many. */
  abstract deleteSurplus(): Promise<number>;

  /** Teams with deliveries that are due and not claimed: some, if they are many. */
  abstract listTeamsWithDue(now: Date): Promise<TeamId[]>;
}
