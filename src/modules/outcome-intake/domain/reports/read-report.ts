import { recipientsIn } from './delivery-status.js';
import type { MailMessage } from './mail-message.js';
import { plainBounce } from './plain-bounce.js';
import { addressIn, blocksOf } from './report-fields.js';
import {
  dateIn,
  NO_RECIPIENT,
  NO_REPORT,
  NOT_FINAL,
  reported,
  type Origin,
  type Reported,
} from './report.js';

/** Reads a delivery report (RFC 3464, or QSBMF) or a complaint (RFC 5965). @returns what it states of its recipients. */
export function readReport(message: MailMessage): Reported[] {
  const origin = { messageId: message.header('message-id'), at: dateIn(message.header('date')) };
  const ofType = (type: string) => message.parts.filter((part) => part.type === type);
  const [complaint] = ofType('message/feedback-report');
  if (complaint !== undefined) return complainants(complaint.text, message, origin);
  const statuses = [...ofType('message/delivery-status'), ...ofType('message/global-delivery-status')];
  if (statuses.length > 0) {
    const found = statuses.flatMap(({ text }) => recipientsIn(text, origin));
    return found.length > 0 ? found : [NO_RECIPIENT];
  }
  return plainBounce(message.text, message.header('x-failed-recipients'), origin) ?? [NO_REPORT];
}

/**
 * The recipients of a complaint: `Original-Rcpt-To` (RFC 5965 §3.2), or the recipient in the header of the message
 * that was complained about, where the provider has not removed it. Only abuse reports are complaints.
 */
function complainants(text: string, { parts }: MailMessage, origin: Origin): Reported[] {
  const [fields = new Map<string, string>()] = blocksOf(text);
  if (fields.get('feedback-type')?.toLowerCase() === 'not-spam') return [NOT_FINAL];
  const original = parts.find(({ type }) => type === 'message/rfc822' || type === 'text/rfc822-headers');
  const [headers = new Map<string, string>()] = blocksOf(original?.text ?? '');
  const named = addressIn(fields.get('original-rcpt-to')) ?? soleAddress(headers.get('to'));
  if (named === null) return [NO_RECIPIENT];
  const at = dateIn(fields.get('received-date')) ?? dateIn(fields.get('arrival-date'));
  return [reported(origin, named, 'complained', { at })];
}

/** The address in a header with one; a header with several does not show who complained. */
function soleAddress(value: string | undefined): string | null {
  const found = (value ?? '').split(/[\s<>,;:"()]/).filter((word) => word.includes('@'));
  return found.length === 1 ? (found[0] ?? null) : null;
}
