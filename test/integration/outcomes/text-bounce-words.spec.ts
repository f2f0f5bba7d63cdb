import { describe, expect, it } from '@jest/globals';
import { readingsOf, readText } from '../../support/outcomes/readings.js';

const GHOST = 'ghost@example.com';

describe('a bounce that gives its reason in its own words', () => {
  it.each<[string, readonly string[], string | null]>([
    [
      'qmail-local',
      [
        'Hi. This is the qmail-send program at a.example.',
        '',
        `<${GHOST}>:`,
        'Sorry, no mailbox here by that name. (#5.1.1)',
        '',
        '--- Below this line is a copy of the message.',
      ],
      'hard',
    ],
    [
      'qmail without a host',
      [
        'Hi. This is the qmail-send program at a.example.',
        '',
        `<${GHOST}>:`,
        "Sorry, I couldn't find any host named example.com. (#5.1.2)",
      ],
      'temporary',
    ],
    [
      'vdelivermail',
      ['Hi. This is the qmail-send program at a.example.', '', `<${GHOST}>:`, 'user is over quota'],
      'mailbox_full',
    ],
    [
      'Yahoo',
      [
        'Message from yahoo.example.',
        'Unable to deliver message to the following address(es).',
        '',
        `<${GHOST}>:`,
        `Sorry your message to ${GHOST} cannot be delivered. This account has been disabled or discontinued [#102].`,
      ],
      'hard',
    ],
    [
      'Domino',
      [
        'Your message',
        '',
        '  Subject: November news',
        '',
        'was not delivered to:',
        '',
        `  ${GHOST}`,
        '',
        'because:',
        '',
        `  User ghost (${GHOST}) not listed in Domino Directory`,
      ],
      'hard',
    ],
    [
      'Domino, a loop',
      [
        'Your message',
        '',
        '  Subject: November news',
        '',
        'was not delivered to:',
        '',
        `  ${GHOST}`,
        '',
        'because:',
        '',
        '  Maximum hop count exceeded.  Message probably in a routing loop.',
      ],
      'temporary',
    ],
    [
      'Lotus Notes',
      [
        '------- Failure Reasons  --------',
        '',
        'User ghost not listed in public Name & Address Book',
        GHOST,
        '',
        '------- Returned Message --------',
      ],
      'hard',
    ],
    [
      'GroupWise',
      [
        'The message that you sent was undeliverable to the following:',
        `\t${GHOST} (user not found)`,
        '',
        'Information about your message:',
      ],
      'hard',
    ],
    [
      'GroupWise, full',
      ['The message that you sent was undeliverable to the following:', `\t${GHOST} (mailbox full)`],
      'mailbox_full',
    ],
    [
      'Exchange 5.5',
      [
        'Your message',
        '',
        '  To:      news@sender.example',
        '',
        'did not reach the following recipient(s):',
        '',
        `${GHOST} on Tue, 10 Nov 2026 09:59:51 +0000`,
        '    The recipient name is not recognized',
        '    MSEXCH:IMS:EXAMPLE:SITE:SERVER 0 (000C05A6) Unknown Recipient',
      ],
      'hard',
    ],
    [
      'Exchange 2003',
      [
        'Your message did not reach some or all of the intended recipients.',
        '',
        'The following recipient(s) could not be reached:',
        '',
        `      'ghost@example.com' on 11/10/2026 10:00 AM`,
        '            The e-mail account does not exist at the organization this message was sent to.',
        '            <mx.example.com #5.1.1>',
      ],
      'hard',
    ],
    [
      'Gmail',
      [
        '** Address not found **',
        '',
        `Your message wasn't delivered to ${GHOST} because the address couldn't be found, or is unable to receive mail.`,
      ],
      'hard',
    ],
    [
      'Gmail, about the DNS',
      [
        '** Address not found **',
        '',
        `Your message wasn't delivered to ${GHOST} because the domain example.com couldn't be found.`,
        '',
        'The response was:',
        '',
        'DNS Error: 1 DNS type mx lookup of example.com responded with code NXDOMAIN',
      ],
      null,
    ],
    [
      'Barracuda',
      [
        `Your message to: ${GHOST}`,
        'was blocked by our Spam Firewall. The email you sent with the following subject has NOT BEEN DELIVERED:',
      ],
      'policy',
    ],
    [
      'IIS',
      [
        'This is an automatically generated Delivery Status Notification.',
        '',
        'Delivery to the following recipients failed.',
        '',
        `       ${GHOST}`,
      ],
      null,
    ],
    ['IMail', [`Unknown user: ${GHOST}`, '', 'Original message follows.'], 'hard'],
    [
      'OpenSMTPD',
      [
        '    An error has occurred while attempting to deliver a message for',
        '    the following list of recipients:',
        '',
        `${GHOST}: Domain does not exist`,
      ],
      null,
    ],
    [
      'hMailServer',
      [
        'Your message did not reach some or all of the intended recipients.',
        '',
        'The following recipient(s) could not be reached:',
        '',
        GHOST,
        '   Error Type: SMTP',
        '   Remote server (192.0.2.25) could not be contacted.',
        '',
        'hMailServer',
      ],
      null,
    ],
  ])('%s', (_, lines, reading) => expect(readingsOf(readText(lines))).toEqual([[GHOST, reading]]));
});

describe('a bounce about several recipients', () => {
  it('of Exim has the reply of each, and the recipient of a local delivery', () => {
    const entries = readText([
      'A message that you sent could not be delivered to one or more of its',
      'recipients. This is a permanent error. The following address(es) failed:',
      '',
      '  full@example.com',
      '    host mx.example.com [192.0.2.25]: 552 5.2.2 Mailbox full',
      '  ghost@example.com',
      '    (generated from jane@example.com)',
      '    host mx.example.com [192.0.2.25]: 550 5.1.1 User unknown',
      '  pipe to |/usr/local/bin/filter joe@example.com',
      '    generated by joe@example.com',
      '  |/usr/bin/other',
      '',
      '------ This is a copy of the message, including all the headers. ------',
    ]);
    expect(readingsOf(entries)).toEqual([
      ['full@example.com', 'mailbox_full'],
      ['jane@example.com', 'hard'],
      ['joe@example.com', null],
    ]);
    expect(entries[1]).toMatchObject({ finalRecipient: 'ghost@example.com' });
  });

  it('of Postfix names the address that the sender wrote', () => {
    const entries = readText([
      'This is the mail system at host mail.sender.example.',
      '',
      '<ghost@forward.example> (expanded from <jane@example.com>): host mx.forward.example[192.0.2.25]',
      '    said: 550 5.1.1 <ghost@forward.example>: User unknown (in reply to RCPT TO command)',
      '',
      '<full@example.com>: host mx.example.com[192.0.2.25] said: 452 4.2.2 Over quota',
    ]);
    expect(readingsOf(entries)).toEqual([
      ['jane@example.com', 'hard'],
      ['full@example.com', 'mailbox_full'],
    ]);
  });

  it('of OpenSMTPD and Zoho has a line for each', () => {
    const opensmtpd = readText([
      '    An error has occurred while attempting to deliver a message for',
      '    the following list of recipients:',
      '',
      'ghost@example.com: 550 5.1.1 <ghost@example.com>: User unknown',
      'full@example.com: 552 5.2.2 <full@example.com>: Mailbox full',
    ]);
    const zoho = readText([
      'A message that you sent could not be delivered to one or more of its recipients.',
      '',
      'ghost@example.com Invalid Address, ERROR_CODE :550, ERROR_CODE :5.1.1 User unknown',
      'full@example.com Invalid Address, ERROR_CODE :550, ERROR_CODE :5.2.2 Mailbox full',
    ]);
    for (const entries of [opensmtpd, zoho]) {
      expect(readingsOf(entries)).toEqual([
        ['ghost@example.com', 'hard'],
        ['full@example.com', 'mailbox_full'],
      ]);
    }
  });
});
