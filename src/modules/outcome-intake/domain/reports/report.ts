import type { QuotedReply } from '../../../../engine/replies/quoted-reply.js';

/** Why a report, or a recipient in it, is no outcome. */
export type UnreadableReason = 'no_report' | 'no_recipient' | 'not_final';

/** What a report states about one recipient. */
export interface ReportedRecipient {
  /** The address as the sender wrote it. */
  email: string;
  /** The address that the reply is about; another one after forwarding. */
  finalRecipient: string;
  outcome: 'delivered' | 'bounced' | 'complained';
  /** When the server replied, or the report was written; null: not stated. */
  at: Date | null;
  reply: QuotedReply | null;
  /** The name of the server that replied. */
  remoteHost: string | null;
}

/** A recipient without an outcome, and why. */
export interface Unreadable {
  error: UnreadableReason;
}

export type Reported = ReportedRecipient | Unreadable;

export function isUnreadable(reported: Reported): reported is Unreadable {
  return 'error' in reported;
}

/** A date of RFC 5322, which may end in a comment; null if it is none. */
export function dateIn(value: string | null | undefined): Date | null {
  const date = new Date((value ?? '').split('(')[0] ?? '');
  return Number.isNaN(date.getTime()) ? null : date;
}
