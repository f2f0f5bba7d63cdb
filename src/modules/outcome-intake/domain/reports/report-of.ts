import type { OutcomeKind } from '../../../../kernel/outcomes.js';
import type { IgnoredEntry } from '../read-entry.js';
import { isUnreadable, type Reported, type UnreadableReason } from './report.js';

const MESSAGES: Readonly<Record<UnreadableReason, string>> = {
  no_report: 'The message is no delivery report and no complaint.',
  no_recipient: 'The report names no recipient.',
  not_final: 'The report is about a delay, a relay, or another event that decides nothing.',
};
const MAX_REPLY = 1_000;

/** An outcome from a report. */
export interface MailedOutcome {
  email: string;
  outcome: OutcomeKind;
  at: Date | null;
  reply: string | null;
  code: number | null;
  enhancedCode: string | null;
  messageId: string | null;
  finalRecipient: string;
  remoteHost: string | null;
}

/** @param messageId of the report: the same report again is a duplicate. */
export function reportOf(reported: Reported, messageId: string | null): MailedOutcome | IgnoredEntry {
  if (isUnreadable(reported)) return { code: reported.error, message: MESSAGES[reported.error] };
  const { email, outcome, at, reply, finalRecipient, remoteHost } = reported;
  const text = reply === null ? null : reply.lines.map((line) => `${reply.code} ${line}`).join('\n');
  return {
    email,
    outcome,
    at,
    reply: (text === '' ? `${reply?.code ?? ''}` : text)?.slice(0, MAX_REPLY) ?? null,
    code: reply?.code ?? null,
    enhancedCode: null,
    messageId: messageId?.slice(0, MAX_REPLY) ?? null,
    finalRecipient,
    remoteHost,
  };
}
