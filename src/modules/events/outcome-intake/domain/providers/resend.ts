import { createHmac } from 'node:crypto';
import type { ReportEntry } from '../../../../../kernel/outcome-report.js';
import type { Provider, Proof, ProvenEvents } from './provider.js';
import {
  diagnosticIn,
  eventOf,
  kindOf,
  listIn,
  NOT_AN_OUTCOME,
  objectIn,
  textIn,
  timeIn,
  type ProviderRequest,
} from './provider-events.js';
import { required } from './secrets.js';
import { categoryOfSes, isNotSentBySes } from './ses.js';
import { isSame, jsonOf, requireRecent, requireSigned, SECONDS, signedHeader } from './signature-checks.js';

const KINDS = {
  'email.delivered': 'delivered',
  'email.complained': 'complained',
  'email.bounced': 'bounced',
} as const;
/** While a secret is rotated there are several, each with its version. */
const VERSIONED = /^v\d[a-z]?,[A-Za-z0-9+/]{1,200}={0,2}$/;
/** Of Standard Webhooks. */
const MAX_AGE_MS = 5 * 60_000;

/** Standard Webhooks 1.0.0, also with the names of Svix; the secret is `whsec_` and base64. */
function verify(request: ProviderRequest, { secret, now }: Proof): ProvenEvents {
  const header = (name: string) => signedHeader(request, `webhook-${name}`, `svix-${name}`);
  const [id, time, signatures] = [header('id'), header('timestamp'), header('signature')];
  requireSigned(SECONDS.test(time));
  const key = Buffer.from((secret ?? '').replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${time}.`).update(request.body).digest('base64');
  const all = signatures.split(' ');
  requireSigned(all.every((signature) => VERSIONED.test(signature)));
  requireSigned(all.some((signature) => isSame(`v1,${expected}`, signature)));
  requireRecent(Number(time) * 1_000, now, MAX_AGE_MS);
  return { body: jsonOf(request.body) };
}

/** One event. Of several recipients it does not show which one is meant. */
function read(body: unknown): ReportEntry[] {
  const { type: name, data, created_at: created } = objectIn(body);
  const { to, email_id: id, bounce } = objectIn(data);
  // `message` is Resend's own sentence; `diagnosticCode` has the replies.
  const { diagnosticCode, type, subType } = objectIn(bounce);
  const kind = kindOf(KINDS, name);
  if (kind === 'bounced' && isNotSentBySes(subType)) return [NOT_AN_OUTCOME];
  const recipients = listIn(to);
  const details = {
    at: timeIn(created),
    messageId: textIn(id),
    reply: diagnosticIn(listIn(diagnosticCode)[0]),
    category: categoryOfSes(type, subType),
  };
  return [eventOf(kind, recipients.length === 1 ? recipients[0] : null, details)];
}

/** https://resend.com/docs/webhooks/emails/bounced */
export const resend: Provider<'resend'> = {
  kind: 'resend',
  secretIs: 'Resend’s signing secret',
  secretError: required('the signing secret (whsec_…)', (key) => /^whsec_[A-Za-z0-9+/=]{16,200}$/.test(key)),
  verify,
  read,
};
