import type { ReportEntry } from '../../../../kernel/outcome-report.js';
import { isComplaint } from '../reports/complaint.js';
import {
  codeIn,
  diagnosticIn,
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

/** The names of the events that are outcomes. A delay, and a mail that was held or not sent, are none. */
const POSTAL = {
  MessageSent: 'delivered',
  MessageDeliveryFailed: 'bounced',
  MessageBounced: 'bounced',
} as const;
const MAILJET = { sent: 'delivered', spam: 'complained', bounce: 'bounced' } as const;
const MANDRILL = {
  send: 'delivered',
  delivered: 'delivered',
  spam: 'complained',
  hard_bounce: 'bounced',
  soft_bounce: 'bounced',
} as const;
const MAILERSEND = {
  'activity.delivered': 'delivered',
  'activity.spam_complaint': 'complained',
  'activity.hard_bounced': 'bounced',
  'activity.soft_bounced': 'bounced',
} as const;
const MAILTRAP = {
  delivery: 'delivered',
  spam: 'complained',
  spam_complaint: 'complained',
  bounce: 'bounced',
} as const;
const KUMOMTA = { Delivery: 'delivered', Bounce: 'bounced', OOB: 'bounced' } as const;

/** Postal: one event. */
export function postalEvents(body: unknown): ReportEntry[] {
  const { event, payload } = objectIn(body);
  const { message, original_message: original, output, timestamp } = objectIn(payload);
  const kind = kindOf(POSTAL, event);
  const about = objectIn(event === 'MessageBounced' ? original : message);
  // Mails that Postal receives have the same events. A failure without a reply is a decision of Postal.
  const isOwn = event === 'MessageDeliveryFailed' && textIn(output) === null;
  if (about.direction === 'incoming' || isOwn) return [NOT_AN_OUTCOME];
  const details = {
    at: timeIn(timestamp) ?? timeIn(objectIn(body).timestamp),
    messageId: textIn(about.message_id),
    reply: textIn(output),
    // The event of a returned mail does not say why it was returned.
    isAbsent: false,
  };
  return [eventOf(kind, about.to, details)];
}

/** Errors of Mailjet after which it tries again, or did not send the mail. */
const NOT_FINAL_AT_MAILJET = ['greylisted', 'preblocked', 'duplicate in campaign'];

/** Mailjet: one event, or a list of them. */
export function mailjetEvents(body: unknown): ReportEntry[] {
  return oneOrMoreIn(body).map((entry) => {
    const { event, email, time, hard_bounce: isHard, error, comment, ...ids } = objectIn(entry);
    if (event === 'bounce' && NOT_FINAL_AT_MAILJET.includes(wordIn(error))) return NOT_AN_OUTCOME;
    return eventOf(kindOf(MAILJET, event), email, {
      at: timeIn(time),
      // The others are numbers that a double cannot hold.
      messageId: textIn(ids.Message_GUID) ?? textIn(ids.mj_message_id) ?? textIn(wordIn(ids.MessageID)),
      reply: textIn(comment),
      neverHard: isHard !== true,
      isAbsent: error === 'user unknown',
    });
  });
}

/** Mandrill: the events of a webhook. */
export function mandrillEvents(body: unknown): ReportEntry[] {
  return listIn(body).map((entry) => {
    const { event, msg, ts, _id: id } = objectIn(entry);
    const { email, diag, bounce_description: description } = objectIn(msg);
    return eventOf(kindOf(MANDRILL, event), email, {
      at: timeIn(ts),
      messageId: textIn(id),
      reply: diagnosticIn(diag),
      neverHard: event === 'soft_bounce',
      isAbsent: description === 'bad_mailbox',
    });
  });
}

/** MailerSend: one event. */
export function mailersendEvents(body: unknown): ReportEntry[] {
  const { type, data, created_at: sent } = objectIn(body);
  const { email, morph, created_at: created, message_id: messageId } = objectIn(data);
  const { recipient, message } = objectIn(email);
  const details = {
    at: timeIn(created) ?? timeIn(sent),
    messageId: textIn(messageId) ?? textIn(objectIn(message).id),
    reply: reasonOfMailersend(objectIn(morph).reason),
    neverHard: type === 'activity.soft_bounced',
    isAbsent: false,
  };
  // Newer events have the address in place of the object.
  return [eventOf(kindOf(MAILERSEND, type), textIn(email) ?? objectIn(recipient).email, details)];
}

function reasonOfMailersend(reason: unknown): string | null {
  const text = textIn(reason);
  return text === 'Unknown reason' ? null : text;
}

/** Mailtrap: the events of a webhook, or the lines of one. After a soft bounce it tries again. */
export function mailtrapEvents(body: unknown): ReportEntry[] {
  return listIn(objectIn(body).events ?? body).map((entry) => {
    const { event, email, timestamp, message_id: messageId, response, response_code: code } = objectIn(entry);
    return eventOf(kindOf(MAILTRAP, event), email, {
      at: timeIn(timestamp),
      messageId: textIn(messageId),
      reply: textIn(response),
      code: codeIn(code),
      isAbsent: false,
    });
  });
}

/** Commands before the recipient is named. */
const BEFORE_RECIPIENT = /^(?:EHLO|HELO|LHLO|STARTTLS|AUTH|MAIL)\b/i;

/** KumoMTA: a log record, or a list of them. */
export function kumomtaEvents(body: unknown): ReportEntry[] {
  const events = oneOrMoreIn(body).flatMap((entry) => {
    const record = objectIn(entry);
    return record.type === 'Feedback' ? kumomtaComplaints(record) : kumomtaRecord(record);
  });
  return notTooMany(events);
}

function kumomtaRecord({ type, recipient, response, ...record }: Json): ReportEntry[] {
  const { delivery_protocol: protocol, reception_protocol: origin, peer_address: peer } = record;
  const kind = kindOf(KUMOMTA, type);
  // A log record that is sent to a webhook has a record of its own, with the recipient of the mail.
  const isByMail = protocol === undefined || protocol === null || protocol === 'ESMTP';
  if (kind === undefined || origin === 'LogRecord' || !isByMail) return [NOT_AN_OUTCOME];
  const { code, enhanced_code: enhanced, content, command } = objectIn(response);
  const details = {
    at: timeIn(record.timestamp),
    messageId: textIn(record.id),
    reply: textIn(content),
    code: codeIn(code),
    enhancedCode: kumomtaCode(objectIn(enhanced)),
    remoteHost: textIn(objectIn(peer).name)?.replace(/\.$/, '') ?? null,
    neverHard: BEFORE_RECIPIENT.test(wordIn(command)),
    isAbsent: false,
  };
  return oneOrMoreIn(recipient).map((email) => eventOf(kind, email, details));
}

function kumomtaCode({ class: status, subject, detail }: Json): string | null {
  const numbers = [status, subject, detail];
  return numbers.every((number) => Number.isInteger(number)) ? numbers.join('.') : null;
}

/** The recipient of a record is the one of the report. Who complained stands in the report. */
function kumomtaComplaints({ timestamp, id, feedback_report: feedback }: Json): ReportEntry[] {
  const { feedback_type: type, original_rcpto_to: stated, supplemental_trace: trace } = objectIn(feedback);
  if (!isComplaint(wordIn(type))) return [NOT_AN_OUTCOME];
  const named = listIn(stated);
  const emails = named.length > 0 ? named : [objectIn(trace).recipient];
  const details = { at: timeIn(timestamp), messageId: textIn(id), isAbsent: false };
  return emails.map((email) => eventOf('complained', email, details));
}
