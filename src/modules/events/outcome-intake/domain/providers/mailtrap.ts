import type { ReportEntry } from '../../../../../kernel/outcome-report.js';
import type { Provider, Proof, ProvenEvents } from './provider.js';
import {
  codeIn,
  eventOf,
  kindOf,
  listIn,
  notTooMany,
  objectIn,
  textIn,
  timeIn,
  type ProviderRequest,
} from './provider-events.js';
import { isSigningKey, required } from './secrets.js';
import { isBodySigned, jsonOf, requireSigned, signedHeader } from './signature-checks.js';

/** After a soft bounce it tries again. */
const KINDS = {
  delivery: 'delivered',
  spam: 'complained',
  spam_complaint: 'complained',
  bounce: 'bounced',
} as const;

/** HMAC-SHA-256 over the body. */
function verify(request: ProviderRequest, { secret }: Proof): ProvenEvents {
  const { header, body } = request;
  requireSigned(isBodySigned(body, signedHeader(request, 'mailtrap-signature'), secret ?? ''));
  const isJsonLines = /^application\/jsonl\b/i.test(header('content-type') ?? '');
  return { body: isJsonLines ? linesOf(body) : jsonOf(body) };
}

function linesOf(body: Buffer): unknown[] {
  const lines = body
    .toString()
    .split('\n')
    .filter((line) => line.trim() !== '');
  return notTooMany(lines).map((line) => jsonOf(Buffer.from(line)));
}

/** The events of a webhook, or the lines of one. */
function read(body: unknown): ReportEntry[] {
  return listIn(objectIn(body).events ?? body).map((entry) => {
    const { event, email, timestamp, message_id: messageId, response, response_code: code } = objectIn(entry);
    return eventOf(kindOf(KINDS, event), email, {
      at: timeIn(timestamp),
      messageId: textIn(messageId),
      reply: textIn(response),
      code: codeIn(code),
    });
  });
}

/** https://docs.mailtrap.io/email-api-smtp/advanced/webhooks */
export const mailtrap: Provider<'mailtrap'> = {
  kind: 'mailtrap',
  secretIs: 'Mailtrap’s signing secret',
  secretError: required('the signing secret of the webhook', isSigningKey),
  verify,
  read,
};
