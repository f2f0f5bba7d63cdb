import type { QuotedReply } from '../../../../../engine/replies/quoted-reply.js';
import type { IgnoredReport, OutcomeReport } from '../../../../../kernel/outcome-report.js';
import type { OutcomeKind } from '../../../../../kernel/outcomes.js';

export const NO_REPORT: IgnoredReport = {
  code: 'no_report',
  message: 'The message is no delivery report and no complaint.',
};
export const NO_RECIPIENT: IgnoredReport = {
  code: 'no_recipient',
  message: 'The report names no recipient.',
};
export const NOT_FINAL: IgnoredReport = {
  code: 'not_final',
  message: 'The report is about a delay, a relay, or another event that decides nothing.',
};

/** What the text of a report says of a recipient that was not reached. */
export interface Failure {
  /** As the sender wrote it. */
  email: string;
  /** After forwarding, the address that the reply is about. */
  finalRecipient?: string;
  /** null: the text gives no reason. */
  reply: QuotedReply | null;
}

const MAX_LENGTH = 1_000;

/** The message that reports. */
export interface Origin {
  /** The same report again is a duplicate. */
  messageId: string | null;
  at: Date | null;
  /** To whom it was sent: the sender of the mail, or another address of its domain. */
  sender: string | null;
}

/** What only some reports state. */
interface Details {
  /** The address that the reply is about; another one after forwarding. */
  finalRecipient?: string;
  at?: Date | null;
  reply?: QuotedReply | null;
  /** The name of the server that replied. */
  remoteHost?: string | null;
}

/** @param email the address as the sender wrote it. */
export function reported(
  { messageId, at: reportedAt, sender }: Origin,
  email: string,
  outcome: OutcomeKind,
  { finalRecipient = email, at, reply, remoteHost }: Details = {},
): OutcomeReport {
  const text = reply?.lines.map((line) => `${reply.code} ${line}`).join('\n');
  return {
    email,
    outcome,
    at: at ?? reportedAt,
    reply: reply && (text || `${reply.code}`).slice(0, MAX_LENGTH),
    code: reply?.code,
    messageId: messageId?.slice(0, MAX_LENGTH),
    finalRecipient,
    sender,
    remoteHost,
  };
}
