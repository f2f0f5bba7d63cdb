import { MORE_PROVIDER_EVENTS } from './more-provider-events.js';

/** Events of the providers, with the members that they document. */

const AT = '2026-11-19T10:00:00.000Z';
const SECONDS = Date.parse(AT) / 1_000;
const REPLY = '550 5.1.1 <ghost@example.com>: User unknown';

/** A hard bounce of ghost@example.com, a delivery to jane@example.com, and an event that is no outcome. */
export const PROVIDER_EVENTS = {
  ...MORE_PROVIDER_EVENTS,
  sendgrid: [
    [
      {
        email: 'ghost@example.com',
        timestamp: SECONDS,
        'smtp-id': '<14c5d75ce93.dfd.64b469@ismtpd-555>',
        event: 'bounce',
        category: ['cat facts'],
        sg_event_id: 'bounce-0-1',
        sg_message_id: '14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0',
        reason: REPLY,
        status: '5.1.1',
        type: 'bounce',
        bounce_classification: 'Invalid Address',
      },
      {
        email: 'jane@example.com',
        timestamp: SECONDS,
        event: 'delivered',
        sg_message_id: 'm2',
        response: '250 OK',
      },
      { email: 'jane@example.com', timestamp: SECONDS, event: 'open', sg_message_id: 'm2' },
    ],
  ],
  postmark: [
    {
      RecordType: 'Bounce',
      ID: 42,
      Type: 'HardBounce',
      TypeCode: 1,
      MessageID: '883953f4-6105-42a2-a16a-77a8eac79483',
      Details: `smtp;${REPLY}`,
      Email: 'ghost@example.com',
      From: 'sender@example.com',
      BouncedAt: '2026-11-19T05:00:00.0000000-05:00',
      Inactive: true,
    },
    {
      RecordType: 'Delivery',
      MessageID: '883953f4-6105-42a2-a16a-77a8eac79484',
      Recipient: 'jane@example.com',
      DeliveredAt: AT,
      Details: 'Test delivery webhook details',
    },
    { RecordType: 'Open', MessageID: '883953f4', Recipient: 'jane@example.com' },
  ],
  resend: [
    {
      type: 'email.bounced',
      created_at: AT,
      data: {
        email_id: '56761188-7520-42d8-8898-ff6fc54ce618',
        from: 'Acme <onboarding@resend.dev>',
        to: ['ghost@example.com'],
        subject: 'Sending this example',
        bounce: {
          message: "The recipient's email provider sent a hard bounce message",
          subType: 'General',
          type: 'Permanent',
          diagnosticCode: [`smtp; ${REPLY}`],
        },
      },
    },
    { type: 'email.delivered', created_at: AT, data: { email_id: 'e2', to: ['jane@example.com'] } },
    { type: 'email.opened', created_at: AT, data: { email_id: 'e2', to: ['jane@example.com'] } },
  ],
  brevo: [
    {
      event: 'hard_bounce',
      email: 'ghost@example.com',
      id: 1,
      date: '2026-11-19 10:00:00',
      ts: SECONDS,
      'message-id': '<201798300811.5787683@relay.domain.com>',
      ts_event: SECONDS,
      subject: 'My first Transactional',
      reason: ` RecipientError: ${REPLY}`,
    },
    { event: 'delivered', email: 'jane@example.com', 'message-id': '<2@x>', ts_event: SECONDS },
    { event: 'unique_opened', email: 'jane@example.com', 'message-id': '<2@x>', ts_event: SECONDS },
  ],
  sparkpost: [
    [
      {
        msys: {
          message_event: {
            type: 'bounce',
            bounce_class: '10',
            error_code: '550',
            event_id: '92356927693813856',
            message_id: '000443ee14578172be22',
            raw_reason: REPLY,
            raw_rcpt_to: 'Ghost@example.com',
            rcpt_to: 'ghost@example.com',
            reason: '550 - User unknown',
            timestamp: String(SECONDS),
          },
        },
      },
      {
        msys: {
          message_event: {
            type: 'delivery',
            message_id: '2',
            raw_rcpt_to: 'jane@example.com',
            timestamp: String(SECONDS),
          },
        },
      },
      { msys: { track_event: { type: 'open', rcpt_to: 'jane@example.com' } } },
    ],
  ],
  mailgun: [
    {
      event: 'failed',
      severity: 'permanent',
      reason: 'bounce',
      id: 'G9Bn5sl1TC6nu79C8C0bwg',
      timestamp: SECONDS + 0.11,
      recipient: 'ghost@example.com',
      message: { headers: { 'message-id': '20130503192659.13651.20287@mg.example.com' } },
      'delivery-status': {
        'attempt-no': 1,
        message: '5.1.1 <ghost@example.com>: User unknown',
        code: 550,
        'enhanced-code': '5.1.1',
        'mx-host': 'mx.example.com',
      },
    },
    {
      event: 'delivered',
      timestamp: SECONDS,
      recipient: 'jane@example.com',
      message: { headers: { 'message-id': '2@mg.example.com' } },
    },
    { event: 'opened', timestamp: SECONDS, recipient: 'jane@example.com' },
  ],
  ses: [
    {
      notificationType: 'Bounce',
      bounce: {
        bounceType: 'Permanent',
        bounceSubType: 'General',
        bouncedRecipients: [
          {
            emailAddress: 'ghost@example.com',
            action: 'failed',
            status: '5.1.1',
            diagnosticCode: `smtp; ${REPLY}`,
          },
        ],
        timestamp: AT,
        feedbackId: '00000138111222aa-33322211-cccc-cccc-cccc-ddddaaaa068a-000000',
        reportingMTA: 'dns; email.example.com',
      },
      mail: { timestamp: AT, messageId: '00000138111222aa-33322211', source: 'john@example.com' },
    },
    {
      eventType: 'Delivery',
      delivery: { timestamp: AT, recipients: ['jane@example.com'], smtpResponse: '250 ok' },
      mail: { messageId: 'm2' },
    },
    { eventType: 'Open', mail: { messageId: 'm2' } },
  ],
} as const;
