import { quotedReply, replyOfStatus, type QuotedReply } from '../../../../engine/replies/quoted-reply.js';
import type { ReportEntry } from '../../../../kernel/outcome-report.js';
import { plainBounce } from './plain-bounce.js';
import { NO_RECIPIENT, NO_REPORT, NOT_FINAL, reported, type Origin } from './report.js';
import { addressIn, blocksOf, dateIn, typedValue, type Fields } from './report-fields.js';
import type { MailMessage } from './mail-message.js';

/** Reads a delivery report (RFC 3464, or QSBMF) or a complaint (RFC 5965). @returns what it states of its recipients. */
export function readReport(message: MailMessage): ReportEntry[] {
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
function complainants(text: string, { parts }: MailMessage, origin: Origin): ReportEntry[] {
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

/**
 * The recipients of a delivery status (RFC 3464 §2.3). The first block is about the message, the others are about
 * one recipient each.
 */
function recipientsIn(status: string, origin: Origin): ReportEntry[] {
  const [message, ...recipients] = blocksOf(status);
  // Some programs leave out the block about the message.
  const all = message?.has('final-recipient') ? [message, ...recipients] : recipients;
  return all.filter(isAboutRecipient).map((fields) => recipientOf(fields, origin));
}

function isAboutRecipient(fields: Fields): boolean {
  return ['final-recipient', 'original-recipient', 'action', 'status'].some((name) => fields.has(name));
}

function recipientOf(fields: Fields, origin: Origin): ReportEntry {
  const final = addressIn(fields.get('final-recipient'));
  // After forwarding, the sender knows the original recipient only.
  const original = addressIn(fields.get('original-recipient')) ?? final;
  if (original === null) return NO_RECIPIENT;
  const outcome = outcomeOf(fields);
  if (outcome === null) return NOT_FINAL;
  return reported(origin, original, outcome, {
    finalRecipient: final ?? original,
    at: dateIn(fields.get('last-attempt-date')),
    reply: replyIn(fields),
    remoteHost: hostIn(fields.get('remote-mta')),
  });
}

/** `relayed` and `expanded` are not final (RFC 3464 §2.3.3), nor is `delayed`. */
function outcomeOf(fields: Fields): 'delivered' | 'bounced' | null {
  const action = (fields.get('action') ?? '').trim().toLowerCase().split(/\s/)[0];
  if (action === 'failed') return 'bounced';
  return action === 'delivered' ? 'delivered' : null;
}

function replyIn(fields: Fields): QuotedReply | null {
  const diagnostic = typedValue(fields.get('diagnostic-code') ?? fields.get('x-exim-diagnostic'));
  const text = diagnostic?.value ?? '';
  return quotedReply(text) ?? replyOfStatus(fields.get('status'), text);
}

/** Exim and Gmail add the address of the server. */
function hostIn(value: string | undefined): string | null {
  const name =
    typedValue(value)
      ?.value.split(/[\s([]/)[0]
      ?.replace(/\.$/, '')
      .toLowerCase() ?? '';
  return /^[a-z\d_-]+(\.[a-z\d_-]+)+$/.test(name) ? name : null;
}
