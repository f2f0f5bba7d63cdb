import type { ReportEntry } from '../../../../../kernel/outcome-report.js';
import type { SmtpCategory } from '../../../../../kernel/verdict.js';
import type { Provider } from './provider.js';
import {
  codeIn,
  diagnosticIn,
  eventOf,
  isNoComplaint,
  kindOf,
  listIn,
  NOT_AN_OUTCOME,
  objectIn,
  textIn,
  timeIn,
  wordIn,
} from './provider-events.js';
import { credentialError } from './secrets.js';
import { verifyCredential } from './signature-checks.js';

const KINDS = {
  delivery: 'delivered',
  spam_complaint: 'complained',
  bounce: 'bounced',
  out_of_band: 'bounced',
} as const;

/** Classes with a category of ours: invalid recipient, mailbox full. */
const CATEGORIES: Readonly<Record<string, SmtpCategory>> = { 10: 'mailbox_not_found', 22: 'mailbox_full' };
/**
 * Classes that are no bounce: not sent (administration, suppression), an automatic reply, a delay, a request to
 * subscribe or unsubscribe, a question whether the sender is a person.
 */
const NO_BOUNCES = ['25', '26', '60', '70', '80', '90', '100'];
/** Momentum, the server of SparkPost, marks its own sentences so. */
export const OWN_SENTENCE = /\[internal\]/i;

/** A batch of events. */
function read(body: unknown): ReportEntry[] {
  return listIn(body).map((entry) => {
    const event = objectIn(objectIn(objectIn(entry).msys).message_event);
    const kind = kindOf(KINDS, event.type);
    const bounceClass = wordIn(event.bounce_class);
    if (event.type === 'spam_complaint' && isNoComplaint(event.fbtype)) return NOT_AN_OUTCOME;
    if (kind === 'bounced' && NO_BOUNCES.includes(bounceClass)) return NOT_AN_OUTCOME;
    const reply = diagnosticIn(event.raw_reason) ?? diagnosticIn(event.reason);
    return eventOf(kind, textIn(event.raw_rcpt_to) ?? event.rcpt_to, {
      at: timeIn(event.timestamp),
      messageId: textIn(event.message_id),
      reply,
      isOwnSentence: OWN_SENTENCE.test(reply ?? ''),
      code: codeIn(event.error_code),
      category: Object.hasOwn(CATEGORIES, bounceClass) ? CATEGORIES[bounceClass] : null,
    });
  });
}

/** https://support.sparkpost.com/docs/deliverability/bounce-classification-codes */
export const sparkpost: Provider<'sparkpost'> = {
  kind: 'sparkpost',
  secretIs: '`user:password` for SparkPost',
  secretError: credentialError,
  verify: verifyCredential,
  read,
};
