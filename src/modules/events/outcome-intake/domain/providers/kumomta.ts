import type { ReportEntry } from '../../../../../kernel/outcome-report.js';
import { isComplaint } from '../reports/complaint.js';
import type { Provider } from './provider.js';
import {
  codeIn,
  eventOf,
  kindOf,
  listIn,
  NOT_AN_OUTCOME,
  notTooMany,
  objectIn,
  oneOrMoreIn,
  textIn,
  timeIn,
  wordIn,
  type Json,
} from './provider-events.js';
import { credentialError, isBearerToken } from './secrets.js';
import { verifyCredential } from './signature-checks.js';

const KINDS = { Delivery: 'delivered', Bounce: 'bounced', OOB: 'bounced' } as const;
/** So KumoMTA begins what it says itself. */
const OWN_SENTENCE = /^KumoMTA internal\b/i;
/** Commands before the recipient is named. */
const BEFORE_RECIPIENT = /^(?:EHLO|HELO|LHLO|STARTTLS|AUTH|MAIL)\b/i;

/** A log record, or a list of them. */
function read(body: unknown): ReportEntry[] {
  const events = oneOrMoreIn(body).flatMap((entry) => {
    const record = objectIn(entry);
    return record.type === 'Feedback' ? complaints(record) : recordOf(record);
  });
  return notTooMany(events);
}

function recordOf({ type, recipient, response, ...record }: Json): ReportEntry[] {
  const { delivery_protocol: protocol, reception_protocol: origin, peer_address: peer } = record;
  const kind = kindOf(KINDS, type);
  // A log record that is sent to a webhook has a record of its own, with the recipient of the mail.
  const isByMail = protocol === undefined || protocol === null || protocol === 'ESMTP';
  if (kind === undefined || origin === 'LogRecord' || !isByMail) return [NOT_AN_OUTCOME];
  const { code, enhanced_code: enhanced, content, command } = objectIn(response);
  const details = {
    at: timeIn(record.timestamp),
    messageId: textIn(record.id),
    reply: textIn(content),
    isOwnSentence: OWN_SENTENCE.test(textIn(content) ?? ''),
    code: codeIn(code),
    enhancedCode: statusOf(objectIn(enhanced)),
    remoteHost: textIn(objectIn(peer).name)?.replace(/\.$/, '') ?? null,
    neverHard: BEFORE_RECIPIENT.test(wordIn(command)),
  };
  return oneOrMoreIn(recipient).map((email) => eventOf(kind, email, details));
}

function statusOf({ class: status, subject, detail }: Json): string | null {
  const numbers = [status, subject, detail];
  return numbers.every((number) => Number.isInteger(number)) ? numbers.join('.') : null;
}

/** The recipient of a record is the one of the report. Who complained stands in the report. */
function complaints({ timestamp, id, feedback_report: feedback }: Json): ReportEntry[] {
  const { feedback_type: type, original_rcpto_to: stated, supplemental_trace: trace } = objectIn(feedback);
  if (!isComplaint(wordIn(type))) return [NOT_AN_OUTCOME];
  const named = listIn(stated);
  const emails = named.length > 0 ? named : [objectIn(trace).recipient];
  const details = { at: timeIn(timestamp), messageId: textIn(id) };
  return emails.map((email) => eventOf('complained', email, details));
}

/** https://docs.kumomta.com/reference/log_record/ */
export const kumomta: Provider<'kumomta'> = {
  kind: 'kumomta',
  secretIs: '`user:password` or a bearer token for KumoMTA',
  secretError: (secret) =>
    secret === null || isBearerToken(secret) || credentialError(secret) === null
      ? null
      : 'Send user:password, or a bearer token of 16 characters or more from A–Z a–z 0–9 . _ ~ + / -, as secret, or none.',
  verify: verifyCredential,
  read,
};
