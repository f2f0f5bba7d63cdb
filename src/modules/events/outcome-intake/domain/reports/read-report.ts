import type { ReportEntry } from '../../../../../kernel/outcome-report.js';
import { complainants } from './complaint.js';
import { recipientsIn } from './delivery-status.js';
import type { MailMessage } from './mail-message.js';
import { mailboxIn } from './mailbox.js';
import { plainBounce, writtenFailures } from './plain-bounce.js';
import { NO_REPORT } from './report.js';
import { dateIn } from './report-fields.js';

/**
 * Reads a delivery report (RFC 3464, RFC 6533, or written for people) or a complaint (RFC 5965).
 *
 * @returns what it states of its recipients.
 */
export function readReport(message: MailMessage): ReportEntry[] {
  const origin = {
    messageId: message.header('message-id'),
    at: dateIn(message.header('date')),
    sender: mailboxIn(message.header('to') ?? ''),
  };
  const complaint = complainants(message, origin);
  if (complaint !== null) return complaint;
  // A report has one delivery status; further ones belong to somebody else.
  const status = message.parts.find(({ type }) => /^message\/(?:global-)?delivery-status$/.test(type));
  if (status === undefined) return plainBounce(message, origin) ?? [NO_REPORT];
  return recipientsIn(status.text, writtenFailures(message) ?? [], origin);
}
