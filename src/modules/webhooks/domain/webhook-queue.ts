export const DELIVERIES_QUEUE = 'webhook-deliveries';

/** Jobs for deliveries that are due. A job sends whatever is due, so that a lost or doubled one does no harm. */
export abstract class WebhookQueue {
  /** @throws when the queue is out of reach. */
  abstract enqueue(deliveries: readonly string[]): Promise<void>;

  /** Enqueues once the open unit of work has committed; when that fails, a sweep enqueues. */
  abstract enqueueAfterCommit(deliveries: readonly string[]): void;
}
