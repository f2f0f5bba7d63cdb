import { FairSlots } from './fair-slots.js';

/** Of the ten connections that a process has. */
const ALL = 4;
const PER_TEAM = 2;

/**
 * The connections that calls about lists may take of this process at once, by team: submissions, results
 * and erasures read and write much, and the rest is left to the look-ups that every call needs.
 */
export class BulkSlots extends FairSlots {
  constructor() {
    super(ALL, PER_TEAM);
  }
}
