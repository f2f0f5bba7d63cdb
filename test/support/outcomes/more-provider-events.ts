/** Events of further providers, with the members that they document. */

const AT = '2026-11-19T10:00:00.000Z';
const SECONDS = Date.parse(AT) / 1_000;
const REPLY = '550 5.1.1 <ghost@example.com>: User unknown';

const postalMessage = (to: string, id: string) => ({
  id: 12345,
  token: 'abcdef123',
  direction: 'outgoing',
  message_id: `${id}@app34.mail`,
  to,
  from: 'sales@awesomeapp.example',
  subject: 'Welcome',
  timestamp: SECONDS,
  spam_status: 'NotSpam',
  tag: null,
});

const mailersend = (type: string, email: string, more: object) => ({
  type,
  domain_id: 'yv69oxl5kl785kw2',
  created_at: AT,
  webhook_id: '2351ndgwr4zqx8ko',
  url: 'https://verify.example.org/inbound',
  data: {
    object: 'activity',
    id: '63fd251d5c00f8e52001fce6',
    type: type.replace('activity.', ''),
    created_at: AT,
    email: {
      object: 'email',
      from: 'sender@example.org',
      message: { object: 'message', id: `63fd25194d5edba3da09e044-${email}` },
      recipient: { object: 'recipient', email },
    },
    morph: null,
    ...more,
  },
});

const kumomta = (type: string, recipient: string, response: object) => ({
  type,
  id: '1d98076abbbc11ed940250ebf67f93bd',
  sender: 'user@sender.example.com',
  recipient,
  queue: 'campaign:tenant@domain',
  site: 'source2->(alt1|alt2).mx.example.com.',
  size: 1047,
  response,
  peer_address: { name: 'mx.example.com.', addr: '192.0.2.27' },
  timestamp: SECONDS,
  created: SECONDS,
  num_attempts: 0,
  bounce_classification: 'Uncategorized',
  feedback_report: null,
  delivery_protocol: 'ESMTP',
  reception_protocol: 'ESMTP',
});
const code = (of: number, subject: number, detail: number) => ({ class: of, subject, detail });

/** As in `PROVIDER_EVENTS`. */
export const MORE_PROVIDER_EVENTS = {
  postal: [
    {
      event: 'MessageDeliveryFailed',
      uuid: '820b47a4-4dfd-42e4-ae6a-1e5bed5a33fd',
      payload: {
        status: 'HardFail',
        details: 'Permanent SMTP delivery error when sending to mx.example.com (192.0.2.27)',
        output: REPLY,
        time: 0.22,
        sent_with_ssl: true,
        timestamp: SECONDS,
        message: postalMessage('ghost@example.com', '1'),
      },
    },
    {
      event: 'MessageSent',
      uuid: '820b47a4-4dfd-42e4-ae6a-1e5bed5a33fe',
      payload: {
        status: 'Sent',
        details: 'Message sent by SMTP to mx.example.com (192.0.2.27)',
        output: '250 2.0.0 OK 1477944899',
        timestamp: SECONDS,
        message: postalMessage('jane@example.com', '2'),
      },
    },
    {
      event: 'MessageHeld',
      uuid: '820b47a4-4dfd-42e4-ae6a-1e5bed5a33ff',
      payload: { status: 'Held', timestamp: SECONDS, message: postalMessage('jane@example.com', '3') },
    },
  ],
  mailjet: [
    [
      {
        event: 'bounce',
        time: SECONDS,
        MessageID: 13792286917004336,
        Message_GUID: '1ab23cd4-e567-8901-2345-6789f0gh1i2j',
        email: 'ghost@example.com',
        mj_campaign_id: 0,
        mj_contact_id: 0,
        customcampaign: '',
        CustomID: 'helloworld',
        Payload: '',
        blocked: true,
        hard_bounce: true,
        error_related_to: 'recipient',
        error: 'user unknown',
        comment: REPLY,
      },
      {
        event: 'sent',
        time: SECONDS,
        email: 'jane@example.com',
        mj_message_id: '18858825588804172',
        smtp_reply: 'sent (250 2.0.0 OK 1424873937)',
      },
    ],
    { event: 'unsub', time: SECONDS, MessageID: 20547674933128000, email: 'jane@example.com', mj_list_id: 1 },
  ],
  mandrill: [
    [
      {
        event: 'hard_bounce',
        msg: {
          ts: SECONDS - 10,
          subject: 'This an example webhook message',
          email: 'ghost@example.com',
          sender: 'example.sender@example.org',
          state: 'bounced',
          _id: 'exampleaaaaaaaaaaaaaaaaaaaaaaaaa2',
          bounce_description: 'bad_mailbox',
          bgtools_code: 10,
          diag: `smtp;${REPLY}`,
        },
        _id: 'exampleaaaaaaaaaaaaaaaaaaaaaaaaa2',
        ts: SECONDS,
      },
      {
        event: 'send',
        msg: { email: 'jane@example.com', state: 'sent' },
        _id: 'exampleaaaaaaaaaaaaaaaaaaaaaaaaa3',
        ts: SECONDS,
      },
    ],
    [{ event: 'reject', msg: { email: 'ghost@example.com', state: 'rejected' }, _id: 'e4', ts: SECONDS }],
  ],
  mailersend: [
    mailersend('activity.hard_bounced', 'ghost@example.com', {
      morph: { object: 'recipient_bounce', reason: REPLY },
    }),
    mailersend('activity.delivered', 'jane@example.com', {}),
    mailersend('activity.opened', 'jane@example.com', {}),
  ],
  mailtrap: [
    {
      events: [
        {
          event: 'bounce',
          timestamp: SECONDS,
          sending_stream: 'transactional',
          message_id: '1df37d17-0286-4d8b-8edf-bc4ec5be86e6',
          email: 'ghost@example.com',
          event_id: 'bede7236-2284-43d6-a953-1fdcafd0fdbc',
          response: '5.1.1 <ghost@example.com>: User unknown',
          response_code: 550,
          bounce_category: 'badmailbox',
          sending_domain_name: 'example.org',
        },
        {
          event: 'delivery',
          timestamp: SECONDS,
          message_id: '1df37d17-0286-4d8b-8edf-bc4ec5be86e7',
          email: 'jane@example.com',
        },
        {
          event: 'open',
          timestamp: SECONDS,
          message_id: '1df37d17-0286-4d8b-8edf-bc4ec5be86e7',
          email: 'jane@example.com',
        },
      ],
    },
  ],
  kumomta: [
    kumomta('Bounce', 'ghost@example.com', {
      code: 550,
      enhanced_code: code(5, 1, 1),
      content: '<ghost@example.com>: User unknown',
      command: 'RCPT TO:<ghost@example.com>',
    }),
    [
      kumomta('Delivery', 'jane@example.com', {
        code: 250,
        enhanced_code: code(2, 0, 0),
        content: 'OK ids=8a5475ccbbc611eda12250ebf67f93bd',
        command: '.',
      }),
      kumomta('TransientFailure', 'ghost@example.com', {
        code: 550,
        enhanced_code: code(5, 1, 1),
        content: 'User unknown',
        command: 'RCPT TO:<ghost@example.com>',
      }),
    ],
  ],
};
