import { describe, expect, it } from '@jest/globals';
import { read, readingsOf, readText } from '../../support/outcomes/readings.js';

const GHOST = 'ghost@example.com';

describe('a bounce of a program that no format is known of', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'a gateway',
      'hard',
      [
        `We could not send your mail to: <${GHOST}>`,
        'This is why:',
        'mx.example.com[192.0.2.25] failed with: 550 <ghost@example.com> No such user here',
        'No further attempts will be made.',
      ],
    ],
    [
      'a filter',
      'hard',
      [
        'Your message:',
        '',
        'was returned because of',
        '550 5.1.1 User unknown',
        '',
        'Affected:',
        `  ${GHOST}`,
      ],
    ],
    [
      'a server that quotes in brackets',
      'hard',
      [
        '1 error(s):',
        `Server <mx.example.com> rejected recipient <${GHOST}>. It said: [550 5.1.1 User unknown]`,
      ],
    ],
    [
      'a server that writes Japanese',
      'hard',
      ['以下のアドレスへの送信に失敗しました。', GHOST, '', '---- server message', '550 5.1.1 User unknown'],
    ],
    [
      'a server that writes German',
      'hard',
      [
        'Ihre Nachricht konnte nicht zugestellt werden.',
        '',
        `Empfänger: ${GHOST}`,
        'Antwort: 550 5.1.1 Unknown user',
      ],
    ],
    [
      'a server that writes Polish',
      'mailbox_full',
      ['Wiadomość nie mogła zostać dostarczona.', `Adresat: ${GHOST}.`, 'Powód: 552 5.2.2 Mailbox full'],
    ],
    [
      'a server that returns the mail in the text',
      'hard',
      [
        `Delivery failed: ${GHOST}`,
        'Remote host said: 550 5.1.1 User unknown',
        '',
        '------- original message',
        'Received: from app.sender.example',
        'To: third@else.example',
      ],
    ],
  ])('is read by the reply that it quotes: %s', (_, reading, lines) => {
    expect(readingsOf(readText(lines))).toEqual([[GHOST, reading]]);
  });

  it.each<[string, readonly string[], string?]>([
    ['names nobody', ['Your mail failed.', '550 5.1.1 User unknown']],
    ['names several', [`${GHOST}, jane@example.com`, '550 5.1.1 User unknown']],
    ['quotes no code', [`We could not reach ${GHOST}.`, 'The user is unknown.']],
    ['quotes a delay', [`We could not reach ${GHOST} yet.`, '451 4.1.1 User unknown for now']],
    ['will try again', [`${GHOST} has not yet been delivered.`, '550 5.1.1 User unknown']],
    [
      'quotes the reply to the sender',
      [GHOST, '>>> MAIL FROM:<news@sender.example>', '<<< 550 5.1.1 Unknown user'],
    ],
    ['names the sender alone', ['Mail from news@sender.example failed.', '550 5.1.1 User unknown']],
    ['names who helps', ['550 5.1.1 User unknown', 'For help write to support@example.com.']],
    ['is of a person', [GHOST, '550 5.1.1 User unknown'], 'Jane <jane@else.example>'],
  ])('is none if it %s', (_, lines, from) => {
    for (const [, reading] of readingsOf(readText(lines, { from })))
      expect(['no_report', 'no_recipient', 'not_final']).toContain(reading);
  });

  it('is about the recipient of the returned mail where it names others too', () => {
    const message = [
      'From: Postmaster <postmaster@mail.sender.example>',
      'To: news@sender.example',
      'Subject: Undeliverable',
      'Date: Tue, 10 Nov 2026 10:00:00 +0000',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="b1"',
      '',
      '--b1',
      'Content-Type: text/plain',
      '',
      `Mail to ${GHOST} was sent on by list@example.com.`,
      '550 5.1.1 User unknown',
      '--b1',
      'Content-Type: message/rfc822',
      '',
      `To: Ghost <${GHOST}>`,
      'Subject: News',
      '--b1--',
    ].join('\n');
    expect(readingsOf(read(message))).toEqual([[GHOST, 'hard']]);
  });
});

describe('a report whose parts a program on the way has changed', () => {
  const parts = (boundary: string) => [
    `--${boundary}`,
    'Content-Type: text/plain',
    '',
    'Sorry.',
    `--${boundary}`,
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mail.sender.example',
    '',
    `Final-Recipient: rfc822; ${GHOST}`,
    'Action: failed',
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 5.1.1 User unknown',
    '',
    `--${boundary}`,
    'Content-Type: message/rfc822',
    '',
    'Return-Path: <news@sender.example>',
    'Subject: News',
    '',
    'Final-Recipient: rfc822; third@else.example',
    'Action: failed',
    'Status: 5.1.1',
    `--${boundary}--`,
  ];
  const headed = (type: string, body: readonly string[]) =>
    [
      'From: MAILER-DAEMON@mail.sender.example',
      'To: news@sender.example',
      'Subject: Undelivered',
      'Date: Tue, 10 Nov 2026 10:00:00 +0000',
      'MIME-Version: 1.0',
      `Content-Type: ${type}`,
      '',
      ...body,
    ].join('\n');

  it.each([
    ['another boundary in the header', headed('multipart/report; boundary="other"', parts('b1'))],
    ['no boundary in the header', headed('multipart/report; report-type=delivery-status', parts('b1'))],
    [
      'no boundary in the body',
      headed(
        'multipart/report; boundary="b1"',
        parts('b1').filter((line) => !/^(?:--b1|Content-Type)/.test(line)),
      ),
    ],
    [
      'no parts at all',
      headed(
        'text/plain',
        parts('b1').filter((line) => !/^(?:--b1|Content-Type)/.test(line)),
      ),
    ],
  ])('is read with %s', (_, message) => {
    expect(readingsOf(read(message))).toEqual([[GHOST, 'hard']]);
  });

  it('is none of a person', () => {
    const flat = parts('b1').filter((line) => !/^(?:--b1|Content-Type)/.test(line));
    const message = headed('text/plain', flat).replace('MAILER-DAEMON@', 'jane@');
    expect(readingsOf(read(message))).toEqual([['', 'no_report']]);
  });
});
