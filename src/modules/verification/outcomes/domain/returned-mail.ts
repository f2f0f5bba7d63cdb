import { knowsDeliveries, type Reported } from './deliveries.js';
import type { Place } from './units.js';

/** Addresses that mail servers had accepted, and of which an outcome is known. */
export interface ReturnedCount extends Place, Reported {
  outcomes: number;
  /** For good, within 30 days after the acceptance. */
  bounced: number;
}

export type UnitCount = Omit<ReturnedCount, keyof Place>;

/** What is known of all accepted addresses of a unit, with or without an outcome. */
export interface AcceptedCount {
  /** All that were counted. */
  accepted: number;
  /** Those of them that bounced. */
  bounced: number;
}

const MIN_BOUNCED = 3;
/** Bounces are at least one of this number. */
const ONE_OF = 10;

export function sumOf(counts: readonly UnitCount[]): UnitCount {
  const sum = { outcomes: 0, bounced: 0, delivered: 0, bouncesOnly: 0 };
  for (const { outcomes, bounced, delivered, bouncesOnly } of counts) {
    sum.outcomes += outcomes;
    sum.bounced += bounced;
    sum.delivered += delivered;
    sum.bouncesOnly += bouncesOnly;
  }
  return sum;
}

/** Whether mail to the unit is returned although its servers accept it. @param all of bounces alone; null: not known. */
export function returnsMail(unit: UnitCount, all: AcceptedCount | null): boolean {
  if (knowsDeliveries(unit)) return isMany(unit.bounced, unit.outcomes);
  // Fewer accepted than bounced ones: they were not counted.
  return all !== null && all.bounced <= all.accepted && isMany(all.bounced, all.accepted);
}

/** Whether it depends on the number of all accepted addresses. */
export function needsAccepted(unit: UnitCount): boolean {
  return unit.bounced >= MIN_BOUNCED && !knowsDeliveries(unit);
}

function isMany(bounced: number, of: number): boolean {
  return bounced >= MIN_BOUNCED && bounced * ONE_OF >= of;
}
