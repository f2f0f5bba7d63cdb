import type { ReportEntry } from '../../../../../kernel/outcome-report.js';
import type { MailMessage } from '../reports/mail-message.js';
import { ses } from './ses.js';

/** What Amazon SES reports in a mail of Amazon SNS, which begins with the notification; null: the message is none. */
export function notificationIn({ header, text }: MailMessage): ReportEntry[] | null {
  if (header('x-amz-sns-message-id') === null) return null;
  const [json = ''] = text.trimStart().split('\n', 1);
  try {
    return ses.read(JSON.parse(json));
  } catch {
    return null;
  }
}
