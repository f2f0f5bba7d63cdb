import type { ReportEntry } from '../../../../../kernel/outcome-report.js';
import { recipientsIn } from './delivery-status.js';
import type { MailMessage } from './mail-message.js';
import { decodedWords } from './decoded-text.js';
import { NO_RECIPIENT, reported, type Failure, type Origin } from './report.js';
import { generalFailure, isOfMailSystem } from './general-bounce.js';
import { eximFailures, failuresIn, isDelay } from './written-bounce.js';

/** What people write before the subject of a mail that they answer or forward, also a bounce. */
const MAX_SUBJECT = 1_000;
const ANSWER = /^(?:re|fwd?|aw|wg|antw|sv|vs|rv|tr|r|i|enc|odp)(?:\[\d{1,3}\])?\s?:/i;

/** A delivery status among the text: of Amazon WorkMail, or of a report whose parts were put into one. */
const STATUS_IN_TEXT =
  /^(?:Technical report:\n|(?=(?:Reporting-MTA|Original-Recipient|Final-Recipient|Action): ?\S))/im;
/** Where the returned message begins after it. */
const AFTER_STATUS = /^(?:--\S|(?:Return-Path|Received|Message-ID|MIME-Version): ?\S)/im;
const MAX_STATUS = 20_000;

/** What a bounce that is written for people says of each recipient; null: the message is none. */
export function writtenFailures(message: MailMessage): readonly Failure[] | null {
  if (isAnswer(message)) return null;
  const failed = message.header('x-failed-recipients');
  const known = failuresIn(message) ?? (failed === null ? null : eximFailures(message, failed));
  if (known !== null) return known;
  const general = isDelay(message.text) ? null : generalFailure(message);
  return general === null ? null : [general];
}

/** The recipients of a bounce that is written for people; null: the message is none. */
export function plainBounce(message: MailMessage, origin: Origin): ReportEntry[] | null {
  const status = isAnswer(message) ? null : statusInText(message);
  const failures = writtenFailures(message);
  if (status !== null) return recipientsIn(status, failures ?? [], origin);
  if (failures === null) return null;
  if (failures.length === 0) return [NO_RECIPIENT];
  return failures.map(({ email, finalRecipient, reply }) =>
    reported(origin, email, 'bounced', { reply, finalRecipient }),
  );
}

/** The delivery status that stands in the text; null: there is none, or somebody else may have written it. */
function statusInText(message: MailMessage): string | null {
  const { text } = message;
  const found = STATUS_IN_TEXT.exec(text);
  if (found === null) return null;
  const isReport = /^\s*multipart\/report\b/i.test(message.header('content-type') ?? '');
  if (found[0] === '' && !isReport && !isOfMailSystem(message)) return null;
  const status = text.slice(found.index + found[0].length).slice(0, MAX_STATUS);
  const end = status.search(AFTER_STATUS);
  const block = end < 0 ? status : status.slice(0, end);
  return /^Final-Recipient: ?\S/im.test(block) ? block : null;
}

function isAnswer(message: MailMessage): boolean {
  const subject = (message.header('subject') ?? '').slice(0, MAX_SUBJECT);
  return ANSWER.test(decodedWords(subject).trim());
}
