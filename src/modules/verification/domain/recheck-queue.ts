export const RECHECKS_QUEUE = 'rechecks';

/** Queue jobs for due rechecks. A job processes any due rechecks, so a lost or repeated job is harmless. */
export abstract class RecheckQueue {
  /** @throws when the queue is not available. */
  abstract enqueue(rechecks: readonly string[]): Promise<void>;
}
