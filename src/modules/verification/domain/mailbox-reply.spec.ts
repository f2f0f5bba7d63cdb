import { describe, expect, it } from '@jest/globals';
import type { SmtpCategory, SmtpStage } from '../../../kernel/verdict.js';
import { REAL_REPLIES } from '../../../../test/support/real-replies.js';
import { asksForStartTls, readReply } from './mailbox-reply.js';
import { smtpReply, type SmtpReply } from './smtp-reply.js';

/** `550 text`, or several lines apart by `|`. */
function reply(text: string): SmtpReply {
  const lines = text.split('|');
  return smtpReply(
    Number(lines[0]?.slice(0, 3)),
    lines.map((line) => line.slice(4)),
  );
}

const RECIPIENT = 'ghost@example.com';

function read(
  text: string,
  provider: string | null = null,
  stage: SmtpStage = 'rcpt',
  recipient = RECIPIENT,
) {
  return readReply({ stage, reply: reply(text), provider, recipient });
}

describe.each(REAL_REPLIES)('at RCPT, "$text"', ({ software, provider, category, text }) => {
  it(`is what ${software} says for ${category}`, () => {
    expect(read(text, provider)).toBe(category);
  });
});

describe('before RCPT', () => {
  const rows: [SmtpStage, string, SmtpCategory][] = [
    [
      'banner',
      '554 5.7.1 Service unavailable; Client host [192.0.2.7] blocked using zen.spamhaus.org',
      'sender_blocked',
    ],
    ['banner', '554-mx.gmx.net Nemesis ESMTP Service not available|554 No SMTP service', 'sender_blocked'],
    ['banner', '521 5.7.1 Blocked by DNSBL', 'sender_blocked'],
    ['banner', '550 No such user', 'sender_blocked'],
    ['banner', '421 4.3.2 All server ports are busy', 'temporary'],
    ['banner', '421 too many connections from your host', 'temporary'],
    ['banner', '421 4.7.0 [TSS04] Messages from 192.0.2.7 temporarily deferred', 'sender_blocked'],
    ['banner', '521 example.com does not accept mail', 'null_mx'],
    ['banner', '556 null MX', 'null_mx'],
    ['banner', '521 Service unavailable', 'policy'],
    ['banner', '250 hello', 'protocol'],
    ['ehlo', '550 5.7.1 Helo command rejected: Access denied', 'sender_blocked'],
    ['ehlo', '502 Command not implemented', 'protocol'],
    ['mail', '550 5.1.1 User unknown', 'sender_blocked'],
    ['mail', '553 5.1.8 <verify@rcpt.example>... Domain of sender address does not exist', 'sender_blocked'],
    ['mail', '451 4.7.1 Greylisting in action, please come back later', 'temporary'],
    ['mail', '452 4.2.2 mailbox full', 'temporary'],
    ['mail', '550 5.2.1 mailbox disabled', 'sender_blocked'],
    ['mail', '530 5.7.0 Must issue a STARTTLS command first', 'policy'],
    ['mail', '501 5.1.7 Bad sender address syntax', 'sender_blocked'],
  ];

  it.each(rows)('nothing is ever about the recipient: %s, %p', (stage, text, category) => {
    expect(read(text, null, stage)).toBe(category);
  });
});

describe('the echoed address', () => {
  it.each([
    ['spamhaus@example.com', '550 5.1.1 <spamhaus@example.com>: User unknown', 'mailbox_not_found'],
    ['spamhaus@example.com', '550 5.1.1 User "SpamHaus" unknown', 'mailbox_not_found'],
    ['disabled@example.com', '550 5.7.1 disabled@example.com: not today', 'policy'],
    ['nosuch@user-unknown.example', '550 5.7.1 nosuch@user-unknown.example: not today', 'policy'],
    ['u012250@example.com', '550 u012250@example.com Rejected', 'policy'],
    ['user.unknown@example.com', '550 <user.unknown@example.com> Rejected', 'policy'],
    ['joe+policy@example.com', '550 5.1.1 <joe+policy@example.com> User unknown', 'mailbox_not_found'],
    [
      '"quota exceeded"@example.com',
      '550 5.1.1 <"quota exceeded"@example.com> User unknown',
      'mailbox_not_found',
    ],
    ['ghost@greylist.example', '550 5.1.1 ghost: User unknown at greylist.example', 'mailbox_not_found'],
    ['a.b@example.com', '550 <A.B@EXAMPLE.COM> User unknown', 'mailbox_not_found'],
    ['почта@example.com', '550 5.1.1 <почта@example.com> User unknown', 'mailbox_not_found'],
    ['a-b@xn--80ak6aa92e.example', '550 a-b@xn--80ak6aa92e.example: unknown user', 'mailbox_not_found'],
  ])('is a name and no word: %s in %p', (recipient, text, category) => {
    expect(read(text, null, 'rcpt', recipient)).toBe(category);
  });
});

describe('whatever a server says', () => {
  it('before RCPT, or for now, makes no mailbox unknown, disabled or the address undeliverable', () => {
    const words = REAL_REPLIES.map(({ text }) => text.replace(/^\d{3}[ -](\d\.\d+\.\d+ )?/, ''));
    for (const text of words) {
      const heard = [
        read(`450 ${text}`),
        read(`550 ${text}`, null, 'banner'),
        read(`550 ${text}`, null, 'mail'),
      ];
      expect(heard).not.toContain('mailbox_not_found');
      expect(heard).not.toContain('mailbox_disabled');
      expect(heard).not.toContain('null_mx');
    }
  });

  it('is read in no time, however long it is', () => {
    const long = reply(`550 ${'user '.repeat(5_000)}${'mail from '.repeat(5_000)}`);
    const started = performance.now();
    readReply({ stage: 'rcpt', reply: long, provider: null, recipient: RECIPIENT });
    expect(performance.now() - started).toBeLessThan(200);
  });
});

describe('a demand for STARTTLS', () => {
  it.each([
    '530 5.7.0 Must issue a STARTTLS command first',
    '451 5.7.3 STARTTLS is required to send mail',
    '550 5.7.10 Encryption needed',
  ])('is seen in %p', (text) => {
    expect(asksForStartTls(reply(text))).toBe(true);
  });

  it.each(['250 2.1.0 Ok, STARTTLS is nicer', '550 5.1.1 User unknown'])('is not seen in %p', (text) => {
    expect(asksForStartTls(reply(text))).toBe(false);
  });
});
