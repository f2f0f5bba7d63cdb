import { FairSemaphore } from '../../../kernel/concurrency/fair-semaphore.js';

/** Of the ten connections of a process. */
const TOTAL = 4;
const PER_TEAM = 2;

/**
 * Database connections that requests about lists may use in this process, fairly by team: submissions,
 * results and deletions are expensive, and the other connections serve the look-ups of every request.
 */
export class BulkSlots extends FairSemaphore {
  constructor() {
    super({ total: TOTAL, perKey: PER_TEAM });
  }
}
