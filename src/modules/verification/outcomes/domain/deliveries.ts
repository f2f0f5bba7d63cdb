import { DAY_MS } from '../../../../kernel/durations.js';
/** Addresses of a group by their outcomes. */
export interface Reported {
  delivered: number;
  /** Those that bounced for good, by a source that reports no deliveries. */
  bouncesOnly: number;
}

/**
 * Whether a share of the group can be computed: a share needs its whole, and a mail server that reports its bounces
 * says nothing about the mails that arrived.
 */
export function knowsDeliveries({ delivered, bouncesOnly }: Reported): boolean {
  return delivered >= bouncesOnly;
}

/** Days within which a source has sent what it is known to report. */
const REPORTS_DAYS = 30;
/** Days whose outcomes accuse a host or are the base of an estimate: shares change. */
export const WINDOW_DAYS = 90;

/** Since when a source reports what it has sent. */
export function reportedSince(now: Date): Date {
  return new Date(now.getTime() - REPORTS_DAYS * DAY_MS);
}

/** Since when outcomes accuse, or are the base of an estimate. */
export function windowStart(now: Date): Date {
  return new Date(now.getTime() - WINDOW_DAYS * DAY_MS);
}
