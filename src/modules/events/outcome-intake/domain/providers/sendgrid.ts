import { createPublicKey, createVerify } from 'node:crypto';
import type { ReportEntry } from '../../../../../kernel/outcome-report.js';
import type { Provider, Proof, ProvenEvents } from './provider.js';
import {
  enhancedCodeIn,
  eventOf,
  kindOf,
  listIn,
  objectIn,
  textIn,
  timeIn,
  type ProviderRequest,
} from './provider-events.js';
import { required } from './secrets.js';
import {
  jsonOf,
  requireRecent,
  requireSigned,
  safely,
  SECONDS,
  signatureBytes,
  signedHeader,
} from './signature-checks.js';
import { DAY_MS } from '../../../../../kernel/durations.js';

const KINDS = { delivered: 'delivered', spamreport: 'complained', bounce: 'bounced' } as const;

/** Sentences of SendGrid about the way to a server. One of them ends in "unrecognized address". */
const OWN_SENTENCE = /^(?:unable to get mx info|error dialing remote address|dial tcp)\b/i;

/** ECDSA with SHA-256 over the time and the body, with a key in base64 (SPKI). */
function verify(request: ProviderRequest, { secret, now }: Proof): ProvenEvents {
  const signature = signedHeader(request, 'x-twilio-email-event-webhook-signature');
  const time = signedHeader(request, 'x-twilio-email-event-webhook-timestamp');
  requireSigned(SECONDS.test(time));
  const bytes = signatureBytes(signature);
  const isValid = safely(() => {
    const key = createPublicKey({ key: Buffer.from(secret ?? '', 'base64'), format: 'der', type: 'spki' });
    const verifier = createVerify('sha256').update(time).update(request.body);
    return verifier.verify(key, bytes);
  });
  requireSigned(isValid);
  requireRecent(Number(time) * 1_000, now, DAY_MS);
  return { body: jsonOf(request.body) };
}

function read(body: unknown): ReportEntry[] {
  return listIn(body).map((entry) => {
    const { event, email, timestamp, reason, status, type, ...others } = objectIn(entry);
    const reply = textIn(reason);
    const isAbsent = others.bounce_classification === 'Invalid Address' && type !== 'blocked';
    return eventOf(kindOf(KINDS, event), email, {
      at: timeIn(timestamp),
      messageId: textIn(others.sg_message_id) ?? textIn(others['smtp-id']),
      reply,
      isOwnSentence: OWN_SENTENCE.test(reply ?? ''),
      enhancedCode: enhancedCodeIn(status),
      category: isAbsent ? 'mailbox_not_found' : null,
    });
  });
}

/** Twilio SendGrid. https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event */
export const sendgrid: Provider<'sendgrid'> = {
  kind: 'sendgrid',
  secretIs: 'SendGrid’s verification key',
  secretError: required('the verification key of the signed event webhook', (key) => {
    return key.length >= 80 && key.length <= 400 && /^[A-Za-z0-9+/=]+$/.test(key);
  }),
  verify,
  read,
};
