export const CHECK_STATUSES = ['pass', 'warn', 'fail', 'unknown'] as const;
/** `unknown`: the check could not be made. */
export type CheckStatus = (typeof CHECK_STATUSES)[number];

/** From the best to the worst. */
export const BY_SEVERITY: readonly CheckStatus[] = ['pass', 'unknown', 'warn', 'fail'];

/** The check of the DNS lists, by its name in the doctor. */
const LISTINGS = 'dns_lists';

/** A code of the doctor, and the values of its text. */
export interface CheckSentence {
  code: string;
  params: Readonly<Record<string, string>>;
}

export interface SelfCheckResult {
  name: string;
  egress: string;
  status: CheckStatus;
  /** What was found, and what to do, in English. */
  detail: string;
  /** The same by code; empty and null: an earlier version has recorded only `detail`. */
  findings: readonly CheckSentence[];
  remedy: CheckSentence | null;
}

type Mailed = 'pass' | 'fail';

export interface SelfCheck extends SelfCheckResult {
  /** The first run with this status. */
  since: Date;
  checkedAt: Date;
  /** What the operators know: the first status, then that of the last mail; null: it has never passed. */
  mailed: Mailed | null;
  /** null: no mail was sent. */
  mailedAt: Date | null;
}

/** The worst result of a UTC day. */
export interface SelfCheckDay extends SelfCheckResult {
  /** `YYYY-MM-DD` */
  day: string;
}

/** @returns the new state, in which `mailed` is that of the last one. */
export function recorded(last: SelfCheck | undefined, result: SelfCheckResult, now: Date): SelfCheck {
  return {
    ...result,
    since: last?.status === result.status ? last.since : now,
    checkedAt: now,
    mailed: last?.mailed ?? FIRST[result.status],
    mailedAt: last?.mailedAt ?? null,
  };
}

/** A check that never passed has not turned to a failure, and does not turn back. */
const FIRST: Readonly<Record<CheckStatus, Mailed | null>> = {
  pass: 'pass',
  warn: 'pass',
  fail: null,
  unknown: null,
};

/** A check that flaps is in one mail in this time. */
const MAIL_INTERVAL_MS = 24 * 3_600_000;

/** Whether the operators have to hear of the status: it fails or passes, and they know the opposite. */
export function isNews({ status, mailed, mailedAt }: SelfCheck, now: Date): boolean {
  if (status !== 'pass' && status !== 'fail') return false;
  if (mailed === null || mailed === status) return false;
  return mailedAt === null || now.getTime() - mailedAt.getTime() >= MAIL_INTERVAL_MS;
}

export function isListing({ name, status }: SelfCheckResult): boolean {
  return name === LISTINGS && (status === 'fail' || status === 'warn');
}
