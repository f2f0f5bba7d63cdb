import { createHmac } from 'node:crypto';
import type { ReportEntry } from '../../../../../kernel/outcome-report.js';
import type { SmtpCategory } from '../../../../../kernel/verdict.js';
import type { Provider, Proof, ProvenEvents } from './provider.js';
import {
  diagnosticIn,
  eventOf,
  kindOf,
  listIn,
  objectIn,
  textIn,
  timeIn,
  wordIn,
  type ProviderRequest,
} from './provider-events.js';
import { isSigningKey, required } from './secrets.js';
import { isSame, jsonOf, requireSigned, signedHeader } from './signature-checks.js';
import { OWN_SENTENCE } from './sparkpost.js';

/** `send`: the mail has left Mandrill. Newer accounts also have `delivered`. */
const KINDS = {
  send: 'delivered',
  delivered: 'delivered',
  spam: 'complained',
  hard_bounce: 'bounced',
  soft_bounce: 'bounced',
} as const;
const CATEGORIES: Readonly<Record<string, SmtpCategory>> = {
  bad_mailbox: 'mailbox_not_found',
  mailbox_full: 'mailbox_full',
};

/** More than a form of Mandrill has; sorting costs no more than reading them. */
const MAX_FIELDS = 20;
/** With this key Mandrill signs an empty list, to find out whether a URL exists before the webhook has a key. */
const TEST_KEY = 'test-webhook';

/** HMAC-SHA-1 over the URL, and over the names and values of the form in the order of the names. */
function verify(request: ProviderRequest, { secret }: Proof): ProvenEvents {
  const signature = signedHeader(request, 'x-mandrill-signature');
  const form = new URLSearchParams(request.body.toString());
  requireSigned(form.size <= MAX_FIELDS);
  form.sort();
  const text = request.url + [...form].flat().join('');
  const events = form.get('mandrill_events') ?? '';
  const keys = events.trim() === '[]' ? [secret ?? '', TEST_KEY] : [secret ?? ''];
  requireSigned(keys.some((one) => isSame(createHmac('sha1', one).update(text).digest('base64'), signature)));
  return { body: jsonOf(Buffer.from(events)) };
}

function read(body: unknown): ReportEntry[] {
  return listIn(body).map((entry) => {
    const { event, msg, ts, _id: id } = objectIn(entry);
    const { email, diag, bounce_description: description } = objectIn(msg);
    const reply = diagnosticIn(diag);
    const reason = wordIn(description);
    return eventOf(kindOf(KINDS, event), email, {
      at: timeIn(ts),
      messageId: textIn(id),
      reply,
      isOwnSentence: OWN_SENTENCE.test(reply ?? ''),
      neverHard: event === 'soft_bounce',
      category: Object.hasOwn(CATEGORIES, reason) ? CATEGORIES[reason] : null,
      isSentOnly: event === 'send',
    });
  });
}

/** Mailchimp Transactional. https://mailchimp.com/developer/transactional/docs/webhooks/ */
export const mandrill: Provider<'mandrill'> = {
  kind: 'mandrill',
  secretIs: 'the key of Mandrill’s webhook',
  secretError: required('the key of the webhook', isSigningKey),
  verify,
  read,
};
