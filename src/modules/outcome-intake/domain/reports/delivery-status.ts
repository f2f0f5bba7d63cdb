import { quotedReply, replyOfStatus, type QuotedReply } from '../../../../engine/replies/quoted-reply.js';
import { addressIn, blocksOf, typedValue, type Fields } from './report-fields.js';
import { dateIn, NO_RECIPIENT, NOT_FINAL, reported, type Origin, type Reported } from './report.js';

/**
 * The recipients of a delivery status (RFC 3464 §2.3). The first block is about the message, the others are about
 * one recipient each.
 */
export function recipientsIn(status: string, origin: Origin): Reported[] {
  const [message, ...recipients] = blocksOf(status);
  // Some programs leave out the block about the message.
  const all = message?.has('final-recipient') ? [message, ...recipients] : recipients;
  return all.filter(isAboutRecipient).map((fields) => recipientOf(fields, origin));
}

function isAboutRecipient(fields: Fields): boolean {
  return ['final-recipient', 'original-recipient', 'action', 'status'].some((name) => fields.has(name));
}

function recipientOf(fields: Fields, origin: Origin): Reported {
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
