import { verify as verifySignature } from 'node:crypto';
import type { ReportEntry } from '../../../../../kernel/outcome-report.js';
import type { Provider, Proof, ProvenEvents } from './provider.js';
import {
  eventOf,
  kindOf,
  NOT_AN_OUTCOME,
  objectIn,
  textIn,
  timeIn,
  type ProviderRequest,
} from './provider-events.js';
import { required, rsaKey } from './secrets.js';
import {
  jsonOf,
  requireRecent,
  requireSigned,
  safely,
  signatureBytes,
  signedHeader,
} from './signature-checks.js';
import { DAY_MS } from '../../../../../kernel/durations.js';

/** A delay, and a mail that was held or not sent, are none. */
const KINDS = {
  MessageSent: 'delivered',
  MessageDeliveryFailed: 'bounced',
  MessageBounced: 'bounced',
} as const;

/**
 * RSA (PKCS #1 v1.5) over the body, by the public key of the installation. The signature with SHA-1 counts only if there
 * is none with SHA-256. The time at which Postal queued the request is a member of the body.
 */
function verify(request: ProviderRequest, { secret, now }: Proof): ProvenEvents {
  const signature = signedHeader(request, 'x-postal-signature-256', 'x-postal-signature');
  const algorithm = request.header('x-postal-signature-256') === undefined ? 'sha1' : 'sha256';
  const key = rsaKey(secret ?? '');
  const bytes = signatureBytes(signature);
  const isValid = safely(() => {
    return key !== null && verifySignature(algorithm, request.body, key, bytes);
  });
  requireSigned(isValid);
  const body = jsonOf(request.body);
  const { timestamp } = objectIn(body);
  requireRecent(typeof timestamp === 'number' ? timestamp * 1_000 : NaN, now, DAY_MS);
  return { body };
}

/** One event. */
function read(body: unknown): ReportEntry[] {
  const { event, payload } = objectIn(body);
  const { message, original_message: original, output, timestamp } = objectIn(payload);
  const about = objectIn(event === 'MessageBounced' ? original : message);
  // Mails that Postal receives have the same events. A failure without a reply is a decision of Postal.
  const isOwn = event === 'MessageDeliveryFailed' && textIn(output) === null;
  if (about.direction === 'incoming' || isOwn) return [NOT_AN_OUTCOME];
  const details = {
    at: timeIn(timestamp) ?? timeIn(objectIn(body).timestamp),
    messageId: textIn(about.message_id),
    // The event of a returned mail does not say why it was returned.
    reply: textIn(output),
  };
  return [eventOf(kindOf(KINDS, event), about.to, details)];
}

/** https://docs.postalserver.io/developer/webhooks */
export const postal: Provider<'postal'> = {
  kind: 'postal',
  secretIs: 'the public key of Postal',
  secretError: required(
    'the public key of Postal (PEM, or the base64 after p= in its DKIM record)',
    (key) => {
      return rsaKey(key) !== null;
    },
  ),
  verify,
  read,
};
