import { replyIn } from './bounce-text.js';
import type { MailMessage } from './mail-message.js';
import { mailboxIn } from './mailbox.js';
import { RETURNED_MESSAGE } from './parse-message.js';
import type { Failure } from './report.js';
import { blocksOf } from './report-fields.js';

/** What a program says, before the message that it returns. */
const MAX_SAID = 4_000;

/** Who writes it, of whom nobody gets other mail. */
const MAIL_SYSTEM =
  /\b(?:mailer-?daemon|post[-_ ]?master|mail delivery (?:sub)?system|(?:ndr|mail) administrator)\b/i;

/** Where the returned message begins in the text. */
const RETURNED =
  /^[\s>*=|-]{0,80}(?:(?:original|returned|unsent|undelivered) (?:message|mail)\b|message (?:headers?|text)\b|.{0,40}\bcopy of (?:the|your|this)\b|below this line|(?:return-path|received): ?\S)/im;

const ADDRESS = /[^\s<>"'(),;:@[\]]{1,64}@[^\s<>"'(),;:@[\]]{1,255}/g;
/** A line about who sent the mail, or to whom one should write. */
const OF_ANOTHER = /\b(?:from|sender|reply-to|contact|questions?|support|help|administrator)\b/i;
const NO_RECIPIENT = /^(?:mailer-?daemon|post-?master|abuse|support|help(?:desk)?|no-?reply)$/i;

/** A line of another mail, in an answer to it. */
const QUOTED = /^>(?!>)/;

/** A command of a transcript that does not name the recipient; its refusal is not about them. */
const OTHER_COMMAND = /(?:>>>|-->|>>|\bC:|\bIn:)\s{0,5}(?:EHLO|HELO|LHLO|MAIL|STARTTLS|AUTH)\b/i;

/**
 * A bounce of a program that no format is known of: a mail system writes, names one recipient, and quotes a refusal for
 * good with its code. Its own words are not read. null: the message is none.
 */
export function generalFailure(message: MailMessage): Failure | null {
  if (!isOfMailSystem(message)) return null;
  const whole = message.text.slice(0, MAX_SAID);
  const end = whole.search(RETURNED);
  const lines = (end < 0 ? whole : whole.slice(0, end)).split('\n').filter((line) => !QUOTED.test(line));
  const email = recipientIn(lines, message);
  if (email === null || lines.some((line) => OTHER_COMMAND.test(line))) return null;
  const reply = replyIn(lines) ?? replyIn(lines.map(fromReply));
  return reply === null || reply.code < 500 ? null : { email, reply };
}

/** The line from a reply on that a sentence introduces: `It responded as follows: [550 5.1.1 …]` */
function fromReply(line: string): string {
  const found = /[[(<'":]\s?(?=5\d\d[ -](?:5\.\d|[A-Za-z<']))/.exec(line);
  return found === null ? '' : line.slice(found.index + found[0].length).replace(/[\])'">]{1,3}\.?$/, '');
}

export function isOfMailSystem(message: MailMessage): boolean {
  return MAIL_SYSTEM.test(message.header('from') ?? '');
}

/** The one address that the text names, or the one to which the returned message was sent. */
function recipientIn(lines: readonly string[], message: MailMessage): string | null {
  const others = ['to', 'from'].map((name) => mailboxIn(message.header(name) ?? '')?.toLowerCase());
  const named = new Map<string, string>();
  for (const line of lines) {
    if (OF_ANOTHER.test(line)) continue;
    for (const [written] of line.matchAll(ADDRESS)) {
      const email = mailboxIn(written.replace(/[.?!*]{1,5}$/, ''));
      const key = email?.toLowerCase() ?? '';
      if (email === null || others.includes(key) || NO_RECIPIENT.test(key.split('@')[0] ?? '')) continue;
      named.set(key, email);
    }
  }
  if (named.size <= 1) return [...named.values()][0] ?? null;
  return named.get(sentTo(message)) ?? null;
}

function sentTo({ parts }: MailMessage): string {
  const returned = parts.find(({ type }) => RETURNED_MESSAGE.test(type));
  const [header] = blocksOf(returned?.text ?? '');
  return mailboxIn(header?.get('to') ?? '')?.toLowerCase() ?? '';
}
