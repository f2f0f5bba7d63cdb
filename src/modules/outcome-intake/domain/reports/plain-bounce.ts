import type { ReportEntry } from '../../../../kernel/outcome-report.js';
import { recipientsIn } from './delivery-status.js';
import type { MailMessage } from './mail-message.js';
import { decodedWords } from './decoded-text.js';
import { NO_RECIPIENT, reported, type Failure, type Origin } from './report.js';
import { eximFailures, failuresIn } from './written-bounce.js';

/** What people write before the subject of a mail that they answer or forward, also a bounce. */
const ANSWER = /^(?:re|fwd?|aw|wg|antw|sv|vs|rv|tr|r|i|enc|odp)(?:\[\d{1,3}\])?\s?:/i;

/** Amazon WorkMail writes a delivery status as text. */
const STATUS_IN_TEXT = /^Technical report:\n/m;

/** What a bounce that is written for people says of each recipient; null: the message is none. */
export function writtenFailures(message: MailMessage): readonly Failure[] | null {
  if (isAnswer(message)) return null;
  const failed = message.header('x-failed-recipients');
  return failuresIn(message) ?? (failed === null ? null : eximFailures(message, failed));
}

/** The recipients of a bounce that is written for people; null: the message is none. */
export function plainBounce(message: MailMessage, origin: Origin): ReportEntry[] | null {
  const { text } = message;
  const status = isAnswer(message) ? null : STATUS_IN_TEXT.exec(text);
  if (status !== null) return recipientsIn(text.slice(status.index + status[0].length), [], origin);
  const failures = writtenFailures(message);
  if (failures === null) return null;
  if (failures.length === 0) return [NO_RECIPIENT];
  return failures.map(({ email, finalRecipient, reply }) =>
    reported(origin, email, 'bounced', { reply, finalRecipient }),
  );
}

function isAnswer(message: MailMessage): boolean {
  return ANSWER.test(decodedWords(message.header('subject') ?? '').trim());
}
