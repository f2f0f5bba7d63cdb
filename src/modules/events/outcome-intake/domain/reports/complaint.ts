import type { ReportEntry } from '../../../../../kernel/outcome-report.js';
import type { MailMessage } from './mail-message.js';
import { mailboxIn } from './mailbox.js';
import { RETURNED_MESSAGE } from './parse-message.js';
import { NO_RECIPIENT, NOT_FINAL, reported, type Origin } from './report.js';
import { blocksOf, dateIn, valuesOf, type Fields } from './report-fields.js';

/**
 * The types of a feedback report by which somebody complains. Others are about authentication (RFC 6591), viruses,
 * fraud, or mail that is not spam (RFC 6430).
 */
const COMPLAINTS = ['abuse', 'opt-out'];

export function isComplaint(type: string): boolean {
  return COMPLAINTS.includes(type.trim().toLowerCase());
}

/** Microsoft puts the recipient there, and into no other place. */
const MICROSOFT_RECIPIENT = 'x-hmxmroriginalrecipient';
/** Where servers note to whom they delivered a message. */
const DELIVERED_TO = ['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to', 'x-rcpt-to'];

/** What a feedback report states; null: the message is none. */
export function complainants(message: MailMessage, origin: Origin): ReportEntry[] | null {
  const returned = returnedHeader(message);
  const report = message.parts.find(({ type }) => type === 'message/feedback-report');
  const ofMicrosoft = returned.get(MICROSOFT_RECIPIENT);
  if (report === undefined) {
    // Its older reports consist of the returned message alone.
    const isWhole = message.parts.every(
      ({ type }) => RETURNED_MESSAGE.test(type) || type.startsWith('text/'),
    );
    return ofMicrosoft === undefined || !isWhole ? null : complained([ofMicrosoft], origin, null);
  }
  const [fields = new Map<string, string>()] = blocksOf(report.text);
  if (!isComplaint(fields.get('feedback-type') ?? '')) return [NOT_FINAL];
  const at = dateIn(fields.get('received-date')) ?? dateIn(fields.get('arrival-date'));
  if (ofMicrosoft !== undefined) return complained([ofMicrosoft], origin, at);
  const stated = valuesOf(report.text, 'original-rcpt-to');
  return complained(stated.length > 0 ? stated : recipientsOf(returned), origin, at);
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

/** To whom a message was delivered, or its sole recipient: with several, `To` does not show who complained. */
function recipientsOf(header: Fields): string[] {
  const delivered = DELIVERED_TO.map((name) => header.get(name)).find((value) => value !== undefined);
  if (delivered !== undefined) return [delivered];
  const to = header.get('to') ?? '';
  const words = to.split(/[\s<>,;:"()]/).filter((word) => word.includes('@'));
  const hasOthers = ['cc', 'bcc', 'list-id'].some((name) => header.has(name));
  return new Set(words).size === 1 && !hasOthers ? [to] : [];
}
