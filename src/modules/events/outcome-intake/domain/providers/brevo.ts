import type { ReportEntry } from '../../../../../kernel/outcome-report.js';
import type { Provider } from './provider.js';
import { eventOf, kindOf, objectIn, textIn, timeIn, wordIn } from './provider-events.js';
import { credentialError } from './secrets.js';
import { verifyCredential } from './signature-checks.js';

/** `invalid_email`: Brevo itself finds that there can be no such address. */
const KINDS = {
  delivered: 'delivered',
  spam: 'complained',
  complaint: 'complained',
  hard_bounce: 'bounced',
  soft_bounce: 'bounced',
  invalid_email: 'bounced',
} as const;
const ABSENT = ['hard_bounce', 'invalid_email'];

/** Brevo puts a code, or `undefined`, and the name of an error before the reply. */
const PREFIX = /^(?:(?:\d{3}|undefined) )?[A-Za-z]{1,30}Error: (?=[245]\d\d[ -])/;

/** One event. */
function read(body: unknown): ReportEntry[] {
  const { event, email, ts_event: seconds, ts_epoch: milliseconds, reason, ...ids } = objectIn(body);
  const details = {
    // `ts` is not in UTC.
    at: timeIn(seconds) ?? timeIn(Number(wordIn(milliseconds) || NaN) / 1_000),
    messageId: textIn(ids['message-id']),
    reply: textIn(reason)?.trim().replace(PREFIX, ''),
    category: ABSENT.includes(wordIn(event)) ? ('mailbox_not_found' as const) : null,
  };
  return [eventOf(kindOf(KINDS, event), email, details)];
}

/** https://developers.brevo.com/docs/transactional-webhooks */
export const brevo: Provider<'brevo'> = {
  kind: 'brevo',
  secretIs: '`user:password` for Brevo',
  secretError: credentialError,
  verify: verifyCredential,
  read,
};
