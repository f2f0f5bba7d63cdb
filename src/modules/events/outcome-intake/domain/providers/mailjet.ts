import type { ReportEntry } from '../../../../../kernel/outcome-report.js';
import type { SmtpCategory } from '../../../../../kernel/verdict.js';
import type { Provider } from './provider.js';
import {
  eventOf,
  kindOf,
  NOT_AN_OUTCOME,
  objectIn,
  oneOrMoreIn,
  textIn,
  timeIn,
  wordIn,
} from './provider-events.js';
import { credentialError } from './secrets.js';
import { verifyCredential } from './signature-checks.js';

const KINDS = { sent: 'delivered', spam: 'complained', bounce: 'bounced' } as const;

/** Errors after which Mailjet tries again, or did not send the mail. */
const NOT_FINAL = ['greylisted', 'preblocked', 'duplicate in campaign'];
/** Errors with a category of ours. */
const CATEGORIES: Readonly<Record<string, SmtpCategory>> = {
  'user unknown': 'mailbox_not_found',
  'mailbox inactive': 'mailbox_disabled',
  'quota exceeded': 'mailbox_full',
};

/** One event, or a list of them. */
function read(body: unknown): ReportEntry[] {
  return oneOrMoreIn(body).map((entry) => {
    const { event, email, time, hard_bounce: isHard, error, comment, ...ids } = objectIn(entry);
    const reason = wordIn(error);
    if (event === 'bounce' && NOT_FINAL.includes(reason)) return NOT_AN_OUTCOME;
    return eventOf(kindOf(KINDS, event), email, {
      at: timeIn(time),
      // The others are numbers that a double cannot hold.
      messageId: textIn(ids.Message_GUID) ?? textIn(ids.mj_message_id) ?? textIn(wordIn(ids.MessageID)),
      reply: textIn(comment),
      neverHard: isHard !== true,
      category: Object.hasOwn(CATEGORIES, reason) ? CATEGORIES[reason] : null,
    });
  });
}

/** https://dev.mailjet.com/email/guides/webhooks/ */
export const mailjet: Provider<'mailjet'> = {
  kind: 'mailjet',
  secretIs: '`user:password` for Mailjet',
  secretError: credentialError,
  verify: verifyCredential,
  read,
};
