import type { ReportEntry } from '../../../../../kernel/outcome-report.js';
import type { Provider, Proof, ProvenEvents } from './provider.js';
import { eventOf, kindOf, objectIn, textIn, timeIn, type ProviderRequest } from './provider-events.js';
import { isSigningKey, required } from './secrets.js';
import { isBodySigned, jsonOf, requireSigned, signedHeader } from './signature-checks.js';

const KINDS = {
  'activity.delivered': 'delivered',
  'activity.spam_complaint': 'complained',
  'activity.hard_bounced': 'bounced',
  'activity.soft_bounced': 'bounced',
} as const;

/** MailerSend publishes the key by which it signs `webhook.test`, and saves no webhook whose URL refuses it. */
const TEST_KEY = 'test_Am3L1GuOIc4blLUuHqAPxxwkZaJyEk8G';

/** HMAC-SHA-256 over the body. A test of MailerSend proves nothing about what it contains. */
function verify(request: ProviderRequest, { secret }: Proof): ProvenEvents {
  const signature = signedHeader(request, 'signature');
  const isProven = isBodySigned(request.body, signature, secret ?? '');
  requireSigned(isProven || isBodySigned(request.body, signature, TEST_KEY));
  const body = jsonOf(request.body);
  requireSigned(isProven || objectIn(body).type === 'webhook.test');
  return { body };
}

/** One event. */
function read(body: unknown): ReportEntry[] {
  const { type, data, created_at: sent } = objectIn(body);
  const { email, morph, created_at: created, message_id: messageId } = objectIn(data);
  const { recipient, message } = objectIn(email);
  const reason = textIn(objectIn(morph).reason);
  const details = {
    at: timeIn(created) ?? timeIn(sent),
    messageId: textIn(messageId) ?? textIn(objectIn(message).id),
    reply: reason === 'Unknown reason' ? null : reason,
    neverHard: type === 'activity.soft_bounced',
  };
  // Newer events have the address in place of the object.
  return [eventOf(kindOf(KINDS, type), textIn(email) ?? objectIn(recipient).email, details)];
}

/** https://developers.mailersend.com/api/v1/webhooks.html */
export const mailersend: Provider<'mailersend'> = {
  kind: 'mailersend',
  secretIs: 'MailerSend’s signing secret',
  secretError: required('the signing secret of the webhook', isSigningKey),
  verify,
  read,
};
