import type { ReportEntry } from '../../../../kernel/outcome-report.js';
import type { MailMessage } from './mail-message.js';
import { mailboxIn } from './mailbox.js';
import { RETURNED_MESSAGE } from './parse-message.js';
import { NO_RECIPIENT, NOT_FINAL, reported, type Origin } from './report.js';
import { blocksOf, dateIn, valuesOf, type Fields } from './report-fields.js';

/** Somebody complains (RFC 5965 §7.3, RFC 6430 is about mail that is not spam); others are about authentication, viruses or fraud. */
const COMPLAINTS = ['abuse', 'opt-out'];
/** Microsoft puts the recipient there, and into no other place. */
const MICROSOFT_RECIPIENT = 'x-hmxmroriginalrecipient';

/** What a feedback report states; null: the message is none. */
export function complainants(message: MailMessage, origin: Origin): ReportEntry[] | null {
  const returned = returnedHeader(message);
  const report = message.parts.find(({ type }) => type === 'message/feedback-report');
  const ofMicrosoft = returned.get(MICROSOFT_RECIPIENT);
  if (report === undefined) {
    // Its older reports consist of the returned message alone.
    return ofMicrosoft === undefined ? null : complained([ofMicrosoft], origin, null);
  }
  const [fields = new Map<string, string>()] = blocksOf(report.text);
  if (!COMPLAINTS.includes(fields.get('feedback-type')?.trim().toLowerCase() ?? '')) return [NOT_FINAL];
  const stated = valuesOf(report.text, 'original-rcpt-to');
  const named = ofMicrosoft === undefined ? stated : [ofMicrosoft];
  const at = dateIn(fields.get('received-date')) ?? dateIn(fields.get('arrival-date'));
  return complained(named.length > 0 ? named : soleRecipient(returned), origin, at);
}

function complained(named: readonly string[], origin: Origin, at: Date | null): ReportEntry[] {
  const emails = new Set(named.flatMap((value) => mailboxIn(value) ?? []));
  if (emails.size === 0) return [NO_RECIPIENT];
  return [...emails].map((email) => reported(origin, email, 'complained', { at }));
}

function returnedHeader({ parts }: MailMessage): Fields {
  const returned = parts.find(({ type }) => RETURNED_MESSAGE.test(type));
  return blocksOf(returned?.text ?? '')[0] ?? new Map<string, string>();
}

/** The recipient of a message to one alone; with several, `To` does not show who complained. */
function soleRecipient(header: Fields): string[] {
  const to = header.get('to') ?? '';
  const others = [header.get('cc'), header.get('bcc'), header.get('list-id')];
  const words = to.split(/[\s<>,;:"()]/).filter((word) => word.includes('@'));
  return new Set(words).size === 1 && others.every((value) => value === undefined) ? [to] : [];
}
