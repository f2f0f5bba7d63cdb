import { recipientsIn } from './delivery-status.js';
import type { MailMessage } from './mail-message.js';
import { plainBounce } from './plain-bounce.js';
import { addressIn, blocksOf } from './report-fields.js';
import { dateIn, type Reported } from './report.js';

/** What a message reports, if it is a delivery report or a complaint. */
export interface Report {
  /** Message-ID of the report. */
  messageId: string | null;
  recipients: readonly Reported[];
}

/** Reads a delivery report (RFC 3464, or QSBMF) or a complaint (RFC 5965). */
export function readReport(message: MailMessage): Report {
  const messageId = message.header('message-id');
  const reportedAt = dateIn(message.header('date'));
  return { messageId, recipients: recipientsOf(message, reportedAt) };
}

function recipientsOf(message: MailMessage, reportedAt: Date | null): Reported[] {
  const ofType = (type: string) => message.parts.filter((part) => part.type === type);
  const [complaint] = ofType('message/feedback-report');
  if (complaint !== undefined) return complainants(complaint.text, message, reportedAt);
  const statuses = [...ofType('message/delivery-status'), ...ofType('message/global-delivery-status')];
  if (statuses.length > 0) {
    const found = statuses.flatMap(({ text }) => recipientsIn(text, reportedAt));
    return found.length > 0 ? found : [{ error: 'no_recipient' }];
  }
  return (
    plainBounce(message.text, message.header('x-failed-recipients'), reportedAt) ?? [{ error: 'no_report' }]
  );
}

/**
 * The recipients of a complaint: `Original-Rcpt-To` (RFC 5965 §3.2), or the recipient in the header of the message
 * that was complained about, where the provider has not removed it. Only abuse reports are complaints.
 */
function complainants(text: string, { parts }: MailMessage, reportedAt: Date | null): Reported[] {
  const [fields = new Map<string, string>()] = blocksOf(text);
  if (fields.get('feedback-type')?.toLowerCase() === 'not-spam') return [{ error: 'not_final' }];
  const original = parts.find(({ type }) => type === 'message/rfc822' || type === 'text/rfc822-headers');
  const [headers = new Map<string, string>()] = blocksOf(original?.text ?? '');
  const named = addressIn(fields.get('original-rcpt-to')) ?? soleAddress(headers.get('to'));
  if (named === null) return [{ error: 'no_recipient' }];
  const at = dateIn(fields.get('received-date')) ?? dateIn(fields.get('arrival-date')) ?? reportedAt;
  return [{ email: named, finalRecipient: named, outcome: 'complained', at, reply: null, remoteHost: null }];
}

/** The address in a header with one; a header with several does not show who complained. */
function soleAddress(value: string | undefined): string | null {
  const found = (value ?? '').split(/[\s<>,;:"()]/).filter((word) => word.includes('@'));
  return found.length === 1 ? (found[0] ?? null) : null;
}
