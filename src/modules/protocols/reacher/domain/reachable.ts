import { isEmpty } from '../../../../kernel/list-files/list-entry.js';
import type { SmtpCategory, Status, Verdict } from '../../../../kernel/verdict.js';

export type Reachable = 'safe' | 'invalid' | 'risky' | 'unknown';

const REACHABLE: Readonly<Record<Status, Reachable>> = {
  deliverable: 'safe',
  undeliverable: 'invalid',
  risky: 'risky',
  unknown: 'unknown',
};

/** Reacher calls every role account risky, whatever the team thinks of them. */
export function reachableOf({ status, checks }: Pick<Verdict, 'status' | 'checks'>): Reachable {
  return status === 'deliverable' && checks.role ? 'risky' : REACHABLE[status];
}

/** Of a row without a verdict: it has no address, or its list was canceled. */
export function reachableWithoutVerdict(email: string): Reachable {
  return isEmpty(email) ? 'invalid' : 'unknown';
}

/** What a list counts of its rows. */
interface RowCounts {
  byStatus: Readonly<Record<Status, number>>;
  deliverableRoles: number;
  /** Without an address. */
  empty: number;
}

/** Counts the rows that are processed by `is_reachable`. */
export function reachableCounts({ byStatus, deliverableRoles, empty }: RowCounts): Record<Reachable, number> {
  return {
    safe: byStatus.deliverable - deliverableRoles,
    invalid: byStatus.undeliverable + empty,
    risky: byStatus.risky + deliverableRoles,
    unknown: byStatus.unknown,
  };
}

/** Meanings of a reply that are about the mailbox. */
const ABOUT_MAILBOX: readonly (SmtpCategory | null)[] = [
  'accepted',
  'rate_limited',
  'mailbox_not_found',
  'mailbox_disabled',
  'mailbox_full',
];
const ACCEPTED: readonly (SmtpCategory | null)[] = ['accepted', 'rate_limited'];

/** What is known of the mailbox. */
export interface MailboxFacts {
  canConnect: boolean;
  hasFullInbox: boolean;
  isCatchAll: boolean;
  isDeliverable: boolean;
  isDisabled: boolean;
}

/** @returns null: nothing was learned of the mailbox; the reason of the verdict says why. */
export function mailboxFactsOf({ status, checks, smtp }: Verdict): MailboxFacts | null {
  const category = smtp?.category ?? null;
  const isDecided = status === 'deliverable' || status === 'undeliverable';
  if (status === 'unknown' || !(isDecided || ABOUT_MAILBOX.includes(category))) return null;
  return {
    canConnect: typeof smtp?.code === 'number',
    hasFullInbox: checks.mailboxFull === true,
    isCatchAll: checks.catchAll === true,
    isDeliverable: status === 'deliverable' || (status === 'risky' && ACCEPTED.includes(category)),
    isDisabled: checks.disabled === true,
  };
}
