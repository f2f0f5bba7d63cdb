export const DELIVERIES_QUEUE = 'webhook-deliveries';

/** Queue jobs for due deliveries. A job sends any due deliveries, so a lost or repeated job is harmless. */
export abstract class WebhookQueue {
  /** @throws when the queue is not available. */
  abstract enqueue(deliveries: readonly string[]): Promise<void>;

  /** Enqueues once the open unit of work has committed; when that fails, a sweep enqueues. */
  abstract enqueueAfterCommit(deliveries: readonly string[]): void;
}
