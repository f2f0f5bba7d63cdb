export const RECHECKS_QUEUE = 'rechecks';

/** Jobs for rechecks that are due. A job rechecks whatever is due, so that a lost or doubled one does no harm. */
export abstract class RecheckQueue {
  /** @throws when the queue is out of reach. */
  abstract enqueue(rechecks: readonly string[]): Promise<void>;
}
