import type { ReportEntry } from '../../../../kernel/outcome-report.js';
import {
  codeIn,
  diagnosticIn,
  enhancedCodeIn,
  eventOf,
  isNoComplaint,
  kindOf,
  listIn,
  NOT_AN_OUTCOME,
  objectIn,
  textIn,
  timeIn,
  wordIn,
  type Json,
} from './provider-events.js';

/** The names of the events that are outcomes. */
const SES = { Delivery: 'delivered', Complaint: 'complained', Bounce: 'bounced' } as const;
const SENDGRID = { delivered: 'delivered', spamreport: 'complained', bounce: 'bounced' } as const;
const POSTMARK = { Delivery: 'delivered', SpamComplaint: 'complained', Bounce: 'bounced' } as const;
const MAILGUN = { delivered: 'delivered', complained: 'complained', failed: 'bounced' } as const;
const RESEND = {
  'email.delivered': 'delivered',
  'email.complained': 'complained',
  'email.bounced': 'bounced',
} as const;
const BREVO = {
  delivered: 'delivered',
  spam: 'complained',
  complaint: 'complained',
  hard_bounce: 'bounced',
  soft_bounce: 'bounced',
} as const;
const SPARKPOST = {
  delivery: 'delivered',
  spam_complaint: 'complained',
  bounce: 'bounced',
  out_of_band: 'bounced',
} as const;

/** Subtypes of Amazon SES, which Resend passes on: the mail was not sent, because an earlier one had bounced. */
const SUPPRESSED = ['Suppressed', 'OnAccountSuppressionList'];

/** `General` states no reason. */
function isAbsentAtSes(type: unknown, subType: unknown): boolean {
  return type === 'Permanent' && subType === 'NoEmail';
}

/** Amazon SES: the message of a notification, or of an event destination. */
export function sesEvents(message: Json): ReportEntry[] {
  const kind = kindOf(SES, message.notificationType ?? message.eventType);
  const { mail, bounce, complaint, delivery } = message;
  const event = objectIn(kind === 'bounced' ? bounce : kind === 'complained' ? complaint : delivery);
  const { bounceType: type, bounceSubType: subType, complaintSubType } = event;
  if (kind === undefined || SUPPRESSED.includes(wordIn(subType ?? complaintSubType))) return [NOT_AN_OUTCOME];
  if (kind === 'complained' && isNoComplaint(event.complaintFeedbackType)) return [NOT_AN_OUTCOME];
  const recipients = event.bouncedRecipients ?? event.complainedRecipients ?? event.recipients;
  return listIn(recipients).map((recipient) => {
    const { emailAddress = recipient, diagnosticCode, status } = objectIn(recipient);
    return eventOf(kind, emailAddress, {
      at: timeIn(event.timestamp),
      messageId: textIn(objectIn(mail).messageId),
      reply: diagnosticIn(diagnosticCode),
      enhancedCode: enhancedCodeIn(status),
      isAbsent: isAbsentAtSes(type, subType),
    });
  });
}

/** SendGrid: the events of a webhook. */
export function sendgridEvents(body: unknown): ReportEntry[] {
  return listIn(body).map((entry) => {
    const { event, email, timestamp, reason, status, type, ...others } = objectIn(entry);
    return eventOf(kindOf(SENDGRID, event), email, {
      at: timeIn(timestamp),
      messageId: textIn(others.sg_message_id) ?? textIn(others['smtp-id']),
      reply: textIn(reason),
      enhancedCode: enhancedCodeIn(status),
      isAbsent: others.bounce_classification === 'Invalid Address' && type !== 'blocked',
    });
  });
}

/** Bounce types of Postmark that are replies of people or programs, or a delay. */
const NO_BOUNCES = [
  'Transient',
  'Unsubscribe',
  'Subscribe',
  'AutoResponder',
  'AddressChange',
  'OpenRelayTest',
  'ChallengeVerification',
];

/** Postmark: one event. */
export function postmarkEvents(body: unknown): ReportEntry[] {
  const { RecordType: record, Type: type, ...event } = objectIn(body);
  const kind = kindOf(POSTMARK, record);
  if (kind === 'bounced' && NO_BOUNCES.includes(wordIn(type))) return [NOT_AN_OUTCOME];
  const details = {
    at: timeIn(kind === 'delivered' ? event.DeliveredAt : event.BouncedAt),
    messageId: textIn(event.MessageID),
    reply: diagnosticIn(event.Details),
    isAbsent: type === 'HardBounce',
  };
  return [eventOf(kind, kind === 'delivered' ? event.Recipient : event.Email, details)];
}

/** Mailgun: one event. */
export function mailgunEvents(body: unknown): ReportEntry[] {
  const event = objectIn(objectIn(body)['event-data']);
  const kind = kindOf(MAILGUN, event.event);
  // A temporary failure is tried again, and a suppressed mail was not sent.
  const isFinal = event.severity === 'permanent' && !wordIn(event.reason).startsWith('suppress-');
  if (kind === 'bounced' && !isFinal) return [NOT_AN_OUTCOME];
  const status = objectIn(event['delivery-status']);
  const details = {
    at: timeIn(event.timestamp),
    messageId: textIn(objectIn(objectIn(event.message).headers)['message-id']),
    reply: textIn(status.message) ?? textIn(status.description),
    code: codeIn(status.code),
    enhancedCode: enhancedCodeIn(status['enhanced-code']),
    remoteHost: textIn(status['mx-host']),
    isAbsent: event.reason === 'bounce',
  };
  return [eventOf(kind, event.recipient, details)];
}

/** Resend: one event. Of several recipients it does not show which one is meant. */
export function resendEvents(body: unknown): ReportEntry[] {
  const { type: name, data, created_at: created } = objectIn(body);
  const { to, email_id: id, bounce } = objectIn(data);
  // `message` is Resend's own sentence; `diagnosticCode` has the replies.
  const { diagnosticCode, type, subType } = objectIn(bounce);
  const kind = kindOf(RESEND, name);
  if (kind === 'bounced' && SUPPRESSED.includes(wordIn(subType))) return [NOT_AN_OUTCOME];
  const recipients = listIn(to);
  const details = {
    at: timeIn(created),
    messageId: textIn(id),
    reply: diagnosticIn(listIn(diagnosticCode)[0]),
    isAbsent: isAbsentAtSes(type, subType),
  };
  return [eventOf(kind, recipients.length === 1 ? recipients[0] : null, details)];
}

/** Brevo puts a code, or `undefined`, and the name of an error before the reply. */
const BREVO_PREFIX = /^(?:(?:\d{3}|undefined) )?[A-Za-z]{1,30}Error: (?=[245]\d\d[ -])/;

/** Brevo: one event. */
export function brevoEvents(body: unknown): ReportEntry[] {
  const { event, email, ts_event: seconds, ts_epoch: milliseconds, reason, ...ids } = objectIn(body);
  const details = {
    // `ts` is not in UTC.
    at: timeIn(seconds) ?? timeIn(Number(wordIn(milliseconds) || NaN) / 1_000),
    messageId: textIn(ids['message-id']),
    reply: textIn(reason)?.trim().replace(BREVO_PREFIX, ''),
    isAbsent: event === 'hard_bounce',
  };
  return [eventOf(kindOf(BREVO, event), email, details)];
}

/** SparkPost's class for an address that does not exist. */
const INVALID_RECIPIENT = '10';

/** SparkPost: a batch of events. */
export function sparkpostEvents(body: unknown): ReportEntry[] {
  return listIn(body).map((entry) => {
    const event = objectIn(objectIn(objectIn(entry).msys).message_event);
    if (event.type === 'spam_complaint' && isNoComplaint(event.fbtype)) return NOT_AN_OUTCOME;
    return eventOf(kindOf(SPARKPOST, event.type), textIn(event.raw_rcpt_to) ?? event.rcpt_to, {
      at: timeIn(event.timestamp),
      messageId: textIn(event.message_id),
      reply: textIn(event.raw_reason) ?? textIn(event.reason),
      code: codeIn(event.error_code),
      isAbsent: wordIn(event.bounce_class) === INVALID_RECIPIENT,
    });
  });
}
