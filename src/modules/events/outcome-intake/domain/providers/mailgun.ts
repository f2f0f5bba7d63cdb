import { createHmac } from 'node:crypto';
import type { ReportEntry } from '../../../../../kernel/outcome-report.js';
import { EventNotTrusted } from '../outcome-intake.errors.js';
import type { Provider, Proof, ProvenEvents } from './provider.js';
import {
  codeIn,
  enhancedCodeIn,
  eventOf,
  kindOf,
  NOT_AN_OUTCOME,
  objectIn,
  textIn,
  timeIn,
  wordIn,
  type Json,
  type ProviderRequest,
} from './provider-events.js';
import { required } from './secrets.js';
import { isSame, jsonOf, requireRecent, requireSigned, SECONDS } from './signature-checks.js';
import { DAY_MS } from '../../../../../kernel/durations.js';

const KINDS = { delivered: 'delivered', complained: 'complained', failed: 'bounced' } as const;
const TOKEN = /^[\da-f]{50}$/;

/** Codes of Mailgun for mails that it did not send: bounced, unsubscribed or complained before. */
const NOT_SENT = ['605', '606', '607'];
/** Codes of Mailgun that look like those of a server: no MX, no connection. */
const OWN_CODES = ['498', '499'];

/** HMAC-SHA-256 over the time and a token, which are members of the body. */
function verify({ body: bytes }: ProviderRequest, { secret, now }: Proof): ProvenEvents {
  const body = jsonOf(bytes);
  const { timestamp, token, signature } = objectIn(objectIn(body).signature);
  const time = textIn(typeof timestamp === 'number' ? String(timestamp) : timestamp);
  const [onceOnly, digest] = [textIn(token), textIn(signature)];
  if (time === null || onceOnly === null || digest === null) throw new EventNotTrusted('unsigned');
  requireSigned(SECONDS.test(time) && TOKEN.test(onceOnly));
  const expected = createHmac('sha256', secret ?? '')
    .update(time + onceOnly)
    .digest('hex');
  requireSigned(isSame(expected, digest));
  requireRecent(Number(time) * 1_000, now, DAY_MS);
  return { body, onceOnly };
}

/** One event. */
function read(body: unknown): ReportEntry[] {
  const event = objectIn(objectIn(body)['event-data']);
  const kind = kindOf(KINDS, event.event);
  const status = objectIn(event['delivery-status']);
  if (kind === 'bounced' && !isFinal(event, status)) return [NOT_AN_OUTCOME];
  const code = codeIn(status.code);
  const details = {
    at: timeIn(event.timestamp),
    messageId: textIn(objectIn(objectIn(event.message).headers)['message-id']),
    reply: textIn(status.message) ?? textIn(status.description),
    isOwnSentence: OWN_CODES.includes(wordIn(status.code)) || (code === null && wordIn(status.code) !== ''),
    code,
    enhancedCode: enhancedCodeIn(status['enhanced-code']),
    remoteHost: textIn(status['mx-host']),
    category: event.reason === 'bounce' ? ('mailbox_not_found' as const) : null,
  };
  return [eventOf(kind, event.recipient, details)];
}

/** A temporary failure is tried again. */
function isFinal({ severity, reason }: Json, { code }: Json): boolean {
  const isSent = !wordIn(reason).startsWith('suppress-') && !NOT_SENT.includes(wordIn(code));
  return severity === 'permanent' && isSent;
}

/** https://documentation.mailgun.com/docs/mailgun/user-manual/events/ */
export const mailgun: Provider<'mailgun'> = {
  kind: 'mailgun',
  secretIs: 'Mailgun’s HTTP webhook signing key',
  secretError: required('the HTTP webhook signing key', (key) => key.length >= 8),
  verify,
  read,
};
