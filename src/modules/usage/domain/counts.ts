import { STATUSES } from '../../../kernel/verdict.js';
import type { Answered } from './charge.js';

/** What is counted of answered addresses; `single` and `bulk` are all of them, `free` are some of these. */
export const COUNTED = ['single', 'bulk', 'free', ...STATUSES] as const;
export type Counts = Record<(typeof COUNTED)[number], number>;

/** Counts of one account of the team. */
export interface AccountCounts extends Counts {
  account: string;
}

export function noCounts(): Counts {
  return { single: 0, bulk: 0, free: 0, deliverable: 0, undeliverable: 0, risky: 0, unknown: 0 };
}

export function countsOf(answered: readonly Answered[]): Counts {
  const counts = noCounts();
  for (const { kind, status, free } of answered) {
    counts[kind]++;
    counts[status]++;
    if (free) counts.free++;
  }
  return counts;
}

export function add(to: Counts, more: Counts): void {
  for (const what of COUNTED) to[what] += more[what];
}
