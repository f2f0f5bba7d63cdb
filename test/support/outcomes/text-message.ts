/** Parts of bounces without a machine-readable part, as programs write them for people. Each is modelled on published ones. */

export interface TextBounce {
  recipient: string;
  code: string;
  status: string;
  text: string;
}

export const lines = (...all: readonly string[]) => all.join('\n');
export const whole = ({ code, status, text }: TextBounce) => `${code} ${status} ${text}`;
export const RETURNED = lines(
  'Received: from app.sender.example (192.0.2.7) by mail.sender.example; Tue, 10 Nov 2026 09:59:00 +0000',
  'From: news@sender.example',
  'To: <somebody@else.example>',
  'Subject: November news',
  '',
  '<third@else.example>:',
  '550 5.1.1 User unknown',
);

export interface Envelope {
  from?: string;
  subject?: string;
  headers?: readonly string[];
}

/** A message of one text. */
export const aTextMessage = (text: string, { from, subject, headers = [] }: Envelope = {}) =>
  lines(
    `From: ${from ?? 'Mail Delivery System <MAILER-DAEMON@mail.sender.example>'}`,
    'To: news@sender.example',
    `Subject: ${subject ?? 'Undelivered mail'}`,
    'Date: Tue, 10 Nov 2026 10:00:00 +0000',
    'Message-ID: <text1@mail.sender.example>',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    ...headers,
    ...(headers.some((header) => header.startsWith('Content-Type'))
      ? []
      : ['Content-Type: text/plain; charset=utf-8']),
    '',
    text,
  );
