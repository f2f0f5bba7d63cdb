import type { ReportEntry } from '../../../../../kernel/outcome-report.js';
import type { Provider } from './provider.js';
import {
  diagnosticIn,
  eventOf,
  kindOf,
  NOT_AN_OUTCOME,
  objectIn,
  textIn,
  timeIn,
  wordIn,
} from './provider-events.js';
import { credentialError } from './secrets.js';
import { verifyCredential } from './signature-checks.js';

const KINDS = { Delivery: 'delivered', SpamComplaint: 'complained', Bounce: 'bounced' } as const;

/** Types that are a delay, answers of people or programs, or mails that Postmark did not send. */
const NO_BOUNCES = [
  'Transient',
  'Unsubscribe',
  'Subscribe',
  'AutoResponder',
  'AddressChange',
  'OpenRelayTest',
  'ChallengeVerification',
  'ManuallyDeactivated',
  'Unconfirmed',
  'SMTPApiError',
  'InboundError',
  'TemplateRenderingFailed',
  'SpamComplaint',
];
const ABSENT = ['HardBounce', 'BadEmailAddress'];
/** The event of the button *Send test*. */
const TEST = 'Test bounce details';

/** One event. */
function read(body: unknown): ReportEntry[] {
  const { RecordType: record, Type: type, ...event } = objectIn(body);
  const kind = kindOf(KINDS, record);
  const isNone = NO_BOUNCES.includes(wordIn(type)) || event.Details === TEST;
  if (kind === 'bounced' && isNone) return [NOT_AN_OUTCOME];
  const details = {
    at: timeIn(kind === 'delivered' ? event.DeliveredAt : event.BouncedAt),
    messageId: textIn(event.MessageID),
    reply: diagnosticIn(event.Details),
    category: ABSENT.includes(wordIn(type)) ? ('mailbox_not_found' as const) : null,
  };
  return [eventOf(kind, kind === 'delivered' ? event.Recipient : event.Email, details)];
}

/** https://postmarkapp.com/developer/webhooks/bounce-webhook and /developer/api/bounce-api#bounce-types */
export const postmark: Provider<'postmark'> = {
  kind: 'postmark',
  secretIs: '`user:password` for Postmark',
  secretError: credentialError,
  verify: verifyCredential,
  read,
};
