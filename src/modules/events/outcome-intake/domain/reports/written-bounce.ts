import { replyOfStatus } from '../../../../../engine/replies/quoted-reply.js';
import { BOUNCE_FORMATS, EXIM, type BounceFormat } from './bounce-formats.js';
import { failureOf, MAX_RECIPIENTS, sectionsOf } from './bounce-text.js';
import type { MailMessage } from './mail-message.js';
import { mailboxIn } from './mailbox.js';
import type { Failure } from './report.js';

/** Where the sentence of a format may begin. */
const MAX_GREETING = 4_000;

/** Of a warning: the message is kept, and tried again. */
const DELAYED =
  /\b(?:THIS IS A WARNING|has not yet been delivered|only a temporary failure report|Message will be retried|It will be retried until|(?:delivery attempts|we) will (?:continue|keep trying)|has been delayed|is delayed)\b/i;

/** What a text in one of the formats says of each recipient; null: it is in none of them. */
export function failuresIn(message: MailMessage): readonly Failure[] | null {
  const format = formatOf(message);
  if (format === null) return null;
  const text = partOf(format, message.text);
  return isDelay(text) ? null : readFormat(format, text);
}

export function isDelay(text: string): boolean {
  return DELAYED.test(text.slice(0, MAX_GREETING));
}

/** The one whose sentence stands first: further on, the text may be that of the returned message. */
function formatOf(message: MailMessage): BounceFormat | null {
  const greeting = message.text.slice(0, MAX_GREETING);
  const found = BOUNCE_FORMATS.map((format) => ({ format, at: greeting.search(format.begins) }))
    .filter(({ format, at }) => at >= 0 && (format.also?.(message) ?? true))
    .sort((one, other) => one.at - other.at)[0];
  return found?.format ?? null;
}

/** The text about the recipients, without the returned message. */
function partOf({ from, ends }: BounceFormat, text: string): string {
  const start = from === undefined ? 0 : text.search(from);
  const part = start < 0 ? '' : text.slice(start);
  const end = ends === undefined ? -1 : part.search(ends);
  return end < 0 ? part : part.slice(0, end);
}

function readFormat(
  { recipient, reasonIsFirst, read = failureOf, absent }: BounceFormat,
  text: string,
): Failure[] {
  const failures = sectionsOf(text, recipient).map((section) => {
    const said = reasonIsFirst ? [section.before] : [section.rest, ...section.lines];
    const sentence = absent?.exec(said.join('\n').trim())?.[0];
    return sentence === undefined
      ? read(section)
      : { email: section.email, reply: replyOfStatus('5.1.1', `User unknown: ${sentence}`) };
  });
  return failures.filter(({ email }) => email !== '');
}

/** Exim names the recipients in a header, also where its sentences were changed or translated. */
export function eximFailures({ text }: MailMessage, failedRecipients: string): readonly Failure[] {
  const named = new Set(failedRecipients.split(',').flatMap((part) => mailboxIn(part) ?? []));
  const said = new Map(readFormat(EXIM, partOf(EXIM, text)).map((failure) => [failure.email, failure]));
  return [...named].slice(0, MAX_RECIPIENTS).map((email) => said.get(email) ?? { email, reply: null });
}
