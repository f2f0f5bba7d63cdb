import { quotedReply, replyOfStatus, type QuotedReply } from '../../../../../engine/replies/quoted-reply.js';
import type { ReportEntry } from '../../../../../kernel/outcome-report.js';
import { NO_RECIPIENT, NOT_FINAL, reported, type Failure, type Origin } from './report.js';
import { addressIn, blocksOf, dateIn, typedValue, type Fields } from './report-fields.js';

/** Programs that leave out the blank line between two recipients repeat one of these. */
const BEGINS_RECIPIENT = ['original-recipient', 'final-recipient'];

/**
 * The recipients of a delivery status (RFC 3464 §2.3). The first block is about the message, the others are about one
 * recipient each.
 *
 * @param said what the text for people says of them: some programs quote the reply only there.
 */
export function recipientsIn(status: string, said: readonly Failure[], origin: Origin): ReportEntry[] {
  const [message, ...recipients] = blocksOf(status, BEGINS_RECIPIENT);
  // Some programs leave out the block about the message.
  const all = message !== undefined && isRecipient(message) ? [message, ...recipients] : recipients;
  const replies = new Map(said.map(({ email, reply }) => [email.toLowerCase(), reply]));
  const found = all.filter(isAboutRecipient).map((fields) => recipientOf(fields, replies, origin));
  return found.length > 0 ? found : [NO_RECIPIENT];
}

function isRecipient(fields: Fields): boolean {
  return BEGINS_RECIPIENT.some((name) => fields.has(name));
}

function isAboutRecipient(fields: Fields): boolean {
  return isRecipient(fields) || ['action', 'status'].some((name) => fields.has(name));
}

function recipientOf(
  fields: Fields,
  said: ReadonlyMap<string, QuotedReply | null>,
  origin: Origin,
): ReportEntry {
  const final = addressIn(fields.get('final-recipient'));
  // After forwarding, the sender knows the original recipient only.
  const original = addressIn(fields.get('original-recipient')) ?? final;
  if (original === null) return NO_RECIPIENT;
  const outcome = outcomeOf(fields);
  if (outcome === null) return NOT_FINAL;
  const finalRecipient = final ?? original;
  return reported(origin, original, outcome, {
    finalRecipient,
    at: dateIn(fields.get('last-attempt-date')),
    reply: diagnosticIn(fields) ?? said.get(finalRecipient.toLowerCase()) ?? statusIn(fields),
    remoteHost: hostIn(fields.get('remote-mta')),
  });
}

/** `relayed` and `expanded` are not final (RFC 3464 §2.3.3), nor is `delayed`. */
function outcomeOf(fields: Fields): 'delivered' | 'bounced' | null {
  const action = /^[a-z]*/i.exec(fields.get('action')?.trim() ?? '')?.[0].toLowerCase();
  if (action === 'failed') return 'bounced';
  if (action === 'delivered') return 'delivered';
  // The field is required, but some programs leave it out.
  return action === '' && statusOf(fields)?.startsWith('5.') ? 'bounced' : null;
}

function statusOf(fields: Fields): string | undefined {
  return fields.get('status');
}

/** null: the report has no words about the recipient. */
function diagnosticIn(fields: Fields): QuotedReply | null {
  const text = valueOf(fields, 'diagnostic-code') || valueOf(fields, 'x-exim-diagnostic');
  if (text !== '') return quotedReply(text) ?? replyOfStatus(statusOf(fields), text);
  return replyInExtensions(fields);
}

function valueOf(fields: Fields, name: string): string {
  return typedValue(fields.get(name))?.value ?? '';
}

/**
 * Some programs leave out `Diagnostic-Code`, or leave it empty, and write the reply into a field of their own: Cisco
 * into `X-Supplementary-Info`. Others of these fields have names, addresses and dates.
 */
function replyInExtensions(fields: Fields): QuotedReply | null {
  for (const [name, value] of fields) {
    const reply = name.startsWith('x-') ? quotedReply(typedValue(value)?.value ?? '') : null;
    if (reply !== null && reply.code >= 400) return reply;
  }
  return null;
}

/** The status alone, with the words that a program may add in parentheses: `5.1.1 (bad destination mailbox address)`. */
function statusIn(fields: Fields): QuotedReply | null {
  const status = statusOf(fields);
  const words = /^[^()]{1,20}\(([^()]{1,200})\)/.exec(status ?? '')?.[1] ?? '';
  return replyOfStatus(status, words);
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
