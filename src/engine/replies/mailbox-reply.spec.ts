import { describe, expect, it } from '@jest/globals';
import type { SmtpStage } from '../../kernel/verdict.js';
import { REAL_REPLIES } from '../../../test/support/replies/real-replies.js';
import { requiresStartTls, readReply } from './mailbox-reply.js';
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
const OURS = { sender: 'verify@rcpt.example', heloName: 'verify.rcpt.example' };

function read(
  text: string,
  provider: string | null = null,
  stage: SmtpStage = 'rcpt',
  recipient = RECIPIENT,
) {
  return readReply({ stage, reply: reply(text), provider, recipient, ...OURS }).category;
}

describe.each(REAL_REPLIES)('at $stage, "$text"', ({ software, provider, stage, category, text }) => {
  it(`is a reply of ${software} with the category ${category}`, () => {
    expect(read(text, provider, stage)).toBe(category);
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
    ['spamhaus@example.com', '550 unknown user spamhaus', 'mailbox_not_found'],
    ['blocked@example.com', '550 5.1.1 User blocked unknown', 'mailbox_not_found'],
    ['host@example.com', '550 host not found', 'policy'],
    ['info@spamhaus.example', '550 5.1.1 User unknown at mx1.spamhaus.example', 'mailbox_not_found'],
    ['ghost@blocked.example', '550 5.1.1 <ghost@blocked.example>: User unknown', 'mailbox_not_found'],
    ['550@example.com', '550 550@example.com: not today', 'policy'],
    ['full@example.com', '452 full@example.com: not now', 'temporary'],
  ])('is a name and not a word: %s in %p', (recipient, text, category) => {
    expect(read(text, null, 'rcpt', recipient)).toBe(category);
  });
});

describe('our own names in a reply', () => {
  it.each([
    ['550 5.1.1 <verify@rcpt.example>: User unknown', 'sender_blocked'],
    ['550 verify.rcpt.example: no', 'policy'],
    ['550 5.1.1 <ghost@example.com>: User unknown (asked by verify@rcpt.example)', 'mailbox_not_found'],
  ])('say nothing about the recipient: %p', (text, category) => {
    expect(read(text)).toBe(category);
  });

  const ABOUT_GHOST = { stage: 'rcpt', provider: null, recipient: RECIPIENT } as const;

  it('are not words, whatever our host name is', () => {
    const said = reply('550 5.1.1 User unknown, as spamhaus.example was told');
    expect(readReply({ ...ABOUT_GHOST, reply: said, ...OURS, heloName: 'spamhaus.example' }).category).toBe(
      'mailbox_not_found',
    );
  });

  it('are not required to detect that the verification of the sender failed', () => {
    const said = reply('550-Verification failed for <v@rcpt.example>|550-Unrouteable address|550 No.');
    expect(readReply({ ...ABOUT_GHOST, reply: said }).category).toBe('sender_blocked');
  });
});

describe('any reply', () => {
  it('before RCPT, or with a 4xx code, never makes an address undeliverable', () => {
    const words = REAL_REPLIES.filter(({ stage }) => stage === 'rcpt').map(({ text }) =>
      text.replace(/^\d{3}[ -](\d\.\d+\.\d+ )?/, ''),
    );
    for (const text of words) {
      const categories = [
        read(`450 ${text}`),
        read(`550 ${text}`, null, 'banner'),
        read(`550 ${text}`, null, 'mail'),
      ];
      expect(categories).not.toContain('mailbox_not_found');
      expect(categories).not.toContain('mailbox_disabled');
    }
  });

  it('is classified by its first 2,000 characters, however long it is', () => {
    const words = (spaces: number) => `550 sorry,${' '.repeat(spaces)}mailbox not found`;
    expect(read(words(1))).toBe('mailbox_not_found');
    expect(read(words(2_000))).not.toBe('mailbox_not_found');
  });
});

describe('a reply that requires STARTTLS', () => {
  it.each([
    '530 5.7.0 Must issue a STARTTLS command first',
    '451 5.7.3 STARTTLS is required to send mail',
    '550 5.7.10 Encryption needed',
  ])('is detected: %p', (text) => {
    expect(requiresStartTls(reply(text))).toBe(true);
  });

  it.each([
    '250 2.1.0 Ok, STARTTLS is nicer',
    '550 5.1.1 User unknown',
    '550 5.1.1 starttls@example.com: User unknown',
    '550 <tls.required@example.com>: User unknown',
  ])('is not detected: %p', (text) => {
    expect(requiresStartTls(reply(text))).toBe(false);
  });
});
