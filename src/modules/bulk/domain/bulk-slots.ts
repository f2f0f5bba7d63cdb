import { OwnerLimiter } from '../../../kernel/concurrency/owner-limiter.js';

/** Of the ten connections of a process. */
const TOTAL = 4;
const PER_TEAM = 2;

/**
 * Database connections that requests about lists may use in this process, fairly by team: submissions,
 * results and deletions are expensive, and the other connections serve the look-ups of every request.
 */
export class BulkSlots extends OwnerLimiter {
  constructor() {
    super(TOTAL, PER_TEAM);
  }
}
