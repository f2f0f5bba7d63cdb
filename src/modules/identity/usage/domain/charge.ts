import type { Principal } from '../../../../kernel/principal.js';
import { STATUSES, type Status, type Verdict } from '../../../../kernel/verdict.js';

export type Payer = Pick<Principal, 'teamId' | 'tier' | 'mode' | 'userId' | 'keyId'> & {
  /** null: a secret key. */
  publishable: object | null;
};

export interface ChargeableVerdict {
  readonly kind: 'single' | 'bulk';
  readonly status: Status;
  /** Costs nothing: `unknown`, `blocked_domain`, a duplicate inside a job. */
  readonly free: boolean;
  /** Not verified, because a publishable key asked about too many addresses of the domain. */
  readonly isRateLimited?: boolean;
}

/** Unknown verdicts, and verdicts from the team's own blocklist, cost nothing. */
export function isFree({ status, reason }: Pick<Verdict, 'status' | 'reason'>): boolean {
  return status === 'unknown' || reason === 'blocked_domain';
}

/** The key's user; the key itself if it has none, or if visitors of a page use it. */
export function accountOf({
  userId,
  keyId,
  publishable,
}: Pick<Payer, 'userId' | 'keyId' | 'publishable'>): string {
  return publishable === null ? (userId ?? keyId) : keyId;
}

export function costOf(verdicts: readonly ChargeableVerdict[]): number {
  return verdicts.filter(({ free }) => !free).length;
}

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
