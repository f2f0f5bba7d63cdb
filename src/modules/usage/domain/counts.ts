import { STATUSES } from '../../../kernel/verdict.js';
import type { ChargeableVerdict } from './charge.js';

/**
 * The counters of verdicts; `single` and `bulk` together are all of them, `free` is a subset, and
 * `rate_limited` is one of `unknown`.
 */
export const COUNTED = ['single', 'bulk', 'free', ...STATUSES, 'rate_limited'] as const;
export type Counts = Record<(typeof COUNTED)[number], number>;

export interface AccountCounts extends Counts {
  account: string;
}

export function countsOf(account: string, verdicts: readonly ChargeableVerdict[]): AccountCounts {
  const byKind = { account, single: 0, bulk: 0, free: 0 };
  const byStatus = { deliverable: 0, undeliverable: 0, risky: 0, unknown: 0 };
  const counts: AccountCounts = { ...byKind, ...byStatus, rate_limited: 0 };
  for (const { kind, status, free, isRateLimited } of verdicts) {
    counts[kind]++;
    counts[status]++;
    if (free) counts.free++;
    if (isRateLimited === true) counts.rate_limited++;
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
