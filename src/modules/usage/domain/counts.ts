import { STATUSES } from '../../../kernel/verdict.js';
import type { Answered } from './charge.js';

/** The counters of answered addresses; `single` and `bulk` together are all of them, `free` is a subset. */
export const COUNTED = ['single', 'bulk', 'free', ...STATUSES] as const;
export type Counts = Record<(typeof COUNTED)[number], number>;

/** Counts of one account of the team. */
export interface AccountCounts extends Counts {
  account: string;
}

export function countsOf(account: string, answered: readonly Answered[]): AccountCounts {
  const byKind = { account, single: 0, bulk: 0, free: 0 };
  const counts: AccountCounts = { ...byKind, deliverable: 0, undeliverable: 0, risky: 0, unknown: 0 };
  for (const { kind, status, free } of answered) {
    counts[kind]++;
    counts[status]++;
    if (free) counts.free++;
  }
  return counts;
}

/** One sum per account. */
export function sumByAccount(all: readonly AccountCounts[]): AccountCounts[] {
  const sums = new Map<string, AccountCounts>();
  for (const counts of all) {
    const sum = sums.get(counts.account);
    if (sum === undefined) sums.set(counts.account, { ...counts });
    else for (const what of COUNTED) sum[what] += counts[what];
  }
  return [...sums.values()];
}
