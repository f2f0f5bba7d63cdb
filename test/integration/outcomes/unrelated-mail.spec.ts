import { describe, expect, it } from '@jest/globals';
import { readingsOf, readText } from '../../support/outcomes/readings.js';
import type { Envelope } from '../../support/outcomes/text-message.js';

const GHOST = 'ghost@example.com';

describe('a text that is no bounce', () => {
  it.each<[string, readonly string[], Envelope?]>([
    [
      'a warning of OpenSMTPD',
      [
        '    A message is delayed for more than 4 hours for the following',
        '    list of recipients:',
        '',
        `${GHOST}: 450 4.1.1 User unknown`,
      ],
    ],
    [
      'a warning of Zoho',
      [
        'This message was created automatically by mail delivery system.',
        '',
        'THIS IS A WARNING MESSAGE ONLY.',
        '',
        `[Status: Error, Address: <${GHOST}>, ResponseCode 421, , Host not reachable.]`,
      ],
    ],
    [
      'a warning of Postfix',
      [
        'This is the mail system at host mail.sender.example.',
        '',
        '# THIS IS A WARNING ONLY.  YOU DO NOT NEED TO RESEND YOUR MESSAGE. #',
        '',
        `<${GHOST}>: host mx.example.com[192.0.2.25] said: 450 4.1.1 User unknown`,
      ],
    ],
    [
      'a warning of Exim',
      [
        'This message was created automatically by mail delivery software.',
        'A message that you have sent has not yet been delivered to one or more of its',
        'recipients after more than 24 hours on the queue.',
        '',
        `  ${GHOST}`,
        '    550 5.1.1 User unknown',
      ],
    ],
    [
      'a warning of Exchange',
      [
        'Delivery is delayed to these recipients or groups:',
        '',
        'Diagnostic information for administrators:',
        GHOST,
        '#550 5.1.1 not found ##',
      ],
    ],
    [
      'a notice of absence',
      ['I am out of the office until Monday.', '', `<${GHOST}>:`, '550 5.1.1 User unknown'],
      { from: 'Ghost <ghost@example.com>', subject: 'Automatic reply: News' },
    ],
    [
      'an answer of a person',
      ['Hi. This is the mail that I meant:', '', 'User unknown (550 5.1.1).'],
      { from: 'Jane <jane@example.com>', subject: 'AW: [EXT] Mail delivery failed' },
    ],
    [
      'a newsletter',
      ['Your message was a success! Delivery to the following places:', '', `     ${GHOST}`],
      { from: 'shop@else.example' },
    ],
    [
      'a transcript that a person pastes',
      ['>>> RCPT TO:<ghost@example.com>', '<<< 550 5.1.1 User unknown'],
      { from: 'Jane <jane@example.com>', subject: 'Help' },
    ],
  ])('%s', (_, lines, envelope) => {
    for (const [, reading] of readingsOf(readText(lines, envelope))) {
      expect(['no_report', 'no_recipient', 'not_final']).toContain(reading);
    }
  });

  it('does not become one by the message that it returns', () => {
    const entries = readText([
      'A message that you sent could not be delivered to one or more of its',
      'recipients. This is a permanent error. The following address(es) failed:',
      '',
      '  full@example.com',
      '    host mx.example.com [192.0.2.25]: 552 5.2.2 Mailbox full',
      '',
      '------ This is a copy of the message, including all the headers. ------',
      '',
      'Hi. This is the qmail-send program at a.example.',
      '',
      `<${GHOST}>:`,
      'Remote host said: 550 5.1.1 User unknown',
    ]);
    expect(readingsOf(entries)).toEqual([['full@example.com', 'mailbox_full']]);
  });
});
