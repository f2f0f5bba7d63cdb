import type { ReportEntry } from '../../../../../kernel/outcome-report.js';
import type { SmtpCategory } from '../../../../../kernel/verdict.js';
import { EventNotTrusted } from '../outcome-intake.errors.js';
import type { Provider, Proof, ProvenEvents } from './provider.js';
import {
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
  type ProviderRequest,
} from './provider-events.js';
import { jsonOf } from './signature-checks.js';
import { isSnsType, snsSignatureOf } from './sns-signature.js';

const KINDS = { Delivery: 'delivered', Complaint: 'complained', Bounce: 'bounced' } as const;

/** Subtypes, which Resend passes on: the mail was not sent, because of an earlier one or of the recipient. */
const NOT_SENT = ['Suppressed', 'OnAccountSuppressionList', 'UnsubscribedRecipient'];

export function isNotSentBySes(subType: unknown): boolean {
  return NOT_SENT.includes(wordIn(subType));
}

/** `General` states no reason. */
export function categoryOfSes(type: unknown, subType: unknown): SmtpCategory | null {
  if (type === 'Permanent' && subType === 'NoEmail') return 'mailbox_not_found';
  return subType === 'MailboxFull' ? 'mailbox_full' : null;
}

/** Amazon SNS signs with a certificate. A message that confirms a subscription has no events. */
function verify({ body: bytes }: ProviderRequest, { now }: Proof): ProvenEvents {
  const body = jsonOf(bytes);
  const { Type: type, Message: message, SubscribeURL: url } = objectIn(body);
  if (!isSnsType(type)) throw new EventNotTrusted('unsigned');
  const signature = snsSignatureOf(body, type, now);
  if (type === 'Notification')
    return { body: jsonOf(Buffer.from(String(message))), sns: { signature, subscribeUrl: null } };
  return { body: {}, sns: { signature, subscribeUrl: typeof url === 'string' ? url : '' } };
}

/** The message of a notification, or of an event destination. */
function read(body: unknown): ReportEntry[] {
  const message = objectIn(body);
  const kind = kindOf(KINDS, message.notificationType ?? message.eventType);
  const { mail, bounce, complaint, delivery } = message;
  const event = objectIn(kind === 'bounced' ? bounce : kind === 'complained' ? complaint : delivery);
  const { bounceType: type, bounceSubType: subType, complaintSubType } = event;
  if (kind === undefined || isNotSentBySes(subType ?? complaintSubType)) return [NOT_AN_OUTCOME];
  if (kind === 'complained' && isNoComplaint(event.complaintFeedbackType)) return [NOT_AN_OUTCOME];
  const recipients = event.bouncedRecipients ?? event.complainedRecipients ?? event.recipients;
  return listIn(recipients).map((recipient) => {
    const { emailAddress = recipient, diagnosticCode, status } = objectIn(recipient);
    return eventOf(kind, emailAddress, {
      at: timeIn(event.timestamp),
      messageId: textIn(objectIn(mail).messageId),
      reply: diagnosticIn(diagnosticCode),
      enhancedCode: enhancedCodeIn(status),
      category: categoryOfSes(type, subType),
    });
  });
}

/** Amazon SES, through Amazon SNS. https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html */
export const ses: Provider<'ses'> = {
  kind: 'ses',
  secretIs: 'none for Amazon SES',
  secretError: (secret) => (secret === null ? null : 'Amazon signs with a certificate. Send no secret.'),
  verify,
  read,
};
