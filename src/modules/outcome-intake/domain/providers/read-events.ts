import { typedValue } from '../reports/report-fields.js';
import {
  absentIf,
  codeIn,
  enhancedCodeIn,
  listIn,
  NOT_AN_OUTCOME,
  objectIn,
  outcomeOf,
  textIn,
  timeIn,
  type Event,
  type Json,
} from './provider-events.js';

/** Subtypes of Amazon SES, which Resend passes on: the mail was not sent, because an earlier one had bounced. */
const SUPPRESSED = ['Suppressed', 'OnAccountSuppressionList'];

/** `General` states no reason. */
function isAbsentAtSes(type: unknown, subType: unknown): boolean {
  return type === 'Permanent' && subType === 'NoEmail';
}

/** Amazon SES: the message of a notification, or of an event destination. */
export function sesEvents(message: Json): Event[] {
  const { mail, bounce, complaint, delivery } = message;
  const messageId = textIn(objectIn(mail).messageId);
  const type = message.notificationType ?? message.eventType;
  if (type === 'Bounce') {
    const { bounceType, bounceSubType, bouncedRecipients, timestamp } = objectIn(bounce);
    if (SUPPRESSED.includes(String(bounceSubType))) return [NOT_AN_OUTCOME];
    return listIn(bouncedRecipients).map((recipient) => {
      const { emailAddress, diagnosticCode, status } = objectIn(recipient);
      const reply = typedValue(textIn(diagnosticCode) ?? undefined)?.value ?? null;
      const members = { at: timeIn(timestamp), reply, enhancedCode: enhancedCodeIn(status), messageId };
      return outcomeOf('bounced', emailAddress, {
        ...members,
        enhancedCode: reply === null ? null : members.enhancedCode,
        category: absentIf(isAbsentAtSes(bounceType, bounceSubType)),
      });
    });
  }
  if (type === 'Complaint') {
    const { complainedRecipients, complaintSubType, timestamp } = objectIn(complaint);
    if (SUPPRESSED.includes(String(complaintSubType))) return [NOT_AN_OUTCOME];
    return listIn(complainedRecipients).map((recipient) =>
      outcomeOf('complained', objectIn(recipient).emailAddress, { at: timeIn(timestamp), messageId }),
    );
  }
  if (type !== 'Delivery') return [NOT_AN_OUTCOME];
  const { recipients, timestamp } = objectIn(delivery);
  return listIn(recipients).map((email) =>
    outcomeOf('delivered', email, { at: timeIn(timestamp), messageId }),
  );
}

/** SendGrid: the events of a webhook. */
export function sendgridEvents(body: unknown): Event[] {
  return listIn(body).map((entry) => {
    const {
      event,
      email,
      timestamp,
      reason,
      status,
      type,
      bounce_classification: kind,
      ...ids
    } = objectIn(entry);
    const messageId = textIn(ids.sg_message_id) ?? textIn(ids['smtp-id']);
    const common = { at: timeIn(timestamp), messageId };
    if (event === 'delivered') return outcomeOf('delivered', email, common);
    if (event === 'spamreport') return outcomeOf('complained', email, common);
    if (event !== 'bounce') return NOT_AN_OUTCOME;
    const reply = textIn(reason);
    return outcomeOf('bounced', email, {
      ...common,
      reply,
      enhancedCode: reply === null ? null : enhancedCodeIn(status),
      category: absentIf(kind === 'Invalid Address' && type !== 'blocked'),
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
export function postmarkEvents(body: unknown): Event[] {
  const { RecordType: record, Type: type, Email: email, Recipient: recipient, ...others } = objectIn(body);
  const messageId = textIn(others.MessageID);
  if (record === 'Delivery')
    return [outcomeOf('delivered', recipient, { at: timeIn(others.DeliveredAt), messageId })];
  const at = timeIn(others.BouncedAt);
  if (record === 'SpamComplaint') return [outcomeOf('complained', email, { at, messageId })];
  if (record !== 'Bounce' || NO_BOUNCES.includes(String(type))) return [NOT_AN_OUTCOME];
  const reply = typedValue(textIn(others.Details) ?? undefined)?.value ?? null;
  return [outcomeOf('bounced', email, { at, reply, messageId, category: absentIf(type === 'HardBounce') })];
}

/** Mailgun: one event. */
export function mailgunEvents(body: unknown): Event[] {
  const { event, severity, reason, recipient, timestamp, message, ...others } = objectIn(
    objectIn(body)['event-data'],
  );
  const messageId = textIn(objectIn(objectIn(message).headers)['message-id']);
  const common = { at: timeIn(timestamp), messageId };
  if (event === 'delivered') return [outcomeOf('delivered', recipient, common)];
  if (event === 'complained') return [outcomeOf('complained', recipient, common)];
  // A temporary failure is tried again, and a suppressed mail was not sent.
  if (event !== 'failed' || severity !== 'permanent' || String(reason).startsWith('suppress-'))
    return [NOT_AN_OUTCOME];
  const status = objectIn(others['delivery-status']);
  const reply = textIn(status.message) ?? textIn(status.description);
  return [
    outcomeOf('bounced', recipient, {
      ...common,
      reply,
      code: reply === null ? null : codeIn(status.code),
      enhancedCode: reply === null ? null : enhancedCodeIn(status['enhanced-code']),
      remoteHost: textIn(status['mx-host']),
      category: absentIf(reason === 'bounce'),
    }),
  ];
}

/** Resend: one event. Of several recipients it does not show which one is meant. */
export function resendEvents(body: unknown): Event[] {
  const { type, data, created_at: created } = objectIn(body);
  const { to, email_id: id, bounce } = objectIn(data);
  const recipients = listIn(to);
  const email = recipients.length === 1 ? recipients[0] : null;
  const common = { at: timeIn(created), messageId: textIn(id) };
  if (type === 'email.delivered') return [outcomeOf('delivered', email, common)];
  if (type === 'email.complained') return [outcomeOf('complained', email, common)];
  if (type !== 'email.bounced') return [NOT_AN_OUTCOME];
  // `message` is Resend's own sentence; `diagnosticCode` has the replies.
  const { diagnosticCode, type: kind, subType } = objectIn(bounce);
  if (SUPPRESSED.includes(String(subType))) return [NOT_AN_OUTCOME];
  const reply = typedValue(textIn(listIn(diagnosticCode)[0]) ?? undefined)?.value ?? null;
  const category = absentIf(isAbsentAtSes(kind, subType));
  return [outcomeOf('bounced', email, { ...common, reply, category })];
}

/** Brevo puts a code, or `undefined`, and the name of an error before the reply. */
const BREVO_PREFIX = /^(?:(?:\d{3}|undefined) )?[A-Za-z]{1,30}Error: (?=[245]\d\d[ -])/;

/** Brevo: one event. */
export function brevoEvents(body: unknown): Event[] {
  const { event, email, ts_event: seconds, ts_epoch: milliseconds, reason, ...ids } = objectIn(body);
  // `ts` is not in UTC.
  const at = timeIn(seconds) ?? timeIn(Number(milliseconds) / 1_000);
  const common = { at, messageId: textIn(ids['message-id']) };
  if (event === 'delivered') return [outcomeOf('delivered', email, common)];
  if (event === 'spam' || event === 'complaint') return [outcomeOf('complained', email, common)];
  if (event !== 'hard_bounce' && event !== 'soft_bounce') return [NOT_AN_OUTCOME];
  const isAbsent = event === 'hard_bounce';
  const reply = textIn(reason)?.trim().replace(BREVO_PREFIX, '') ?? null;
  return [outcomeOf('bounced', email, { ...common, reply, category: absentIf(isAbsent) })];
}

/** SparkPost's class for an address that does not exist. */
const INVALID_RECIPIENT = '10';

/** SparkPost: a batch of events. */
export function sparkpostEvents(body: unknown): Event[] {
  return listIn(body).map((entry) => {
    const { msys } = objectIn(entry);
    const event = objectIn(objectIn(msys).message_event);
    const email = textIn(event.raw_rcpt_to) ?? event.rcpt_to;
    const common = { at: timeIn(event.timestamp), messageId: textIn(event.message_id) };
    if (event.type === 'delivery') return outcomeOf('delivered', email, common);
    if (event.type === 'spam_complaint') return outcomeOf('complained', email, common);
    if (event.type !== 'bounce' && event.type !== 'out_of_band') return NOT_AN_OUTCOME;
    const reply = textIn(event.raw_reason) ?? textIn(event.reason);
    const category = absentIf(String(event.bounce_class) === INVALID_RECIPIENT);
    const code = reply === null ? null : codeIn(event.error_code);
    return outcomeOf('bounced', email, { ...common, reply, code, category });
  });
}
