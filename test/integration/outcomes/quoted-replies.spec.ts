import { describe, expect, it } from '@jest/globals';
import assert from 'node:assert/strict';
import type { OutcomeReport } from '../../../src/kernel/outcome-report.js';
import { readOutcome } from '../../../src/modules/verification/outcomes/domain/read-outcome.js';

const NOW = new Date('2026-11-20T12:00:00Z');
const EMAIL = 'ghost@example.com';

/** `hard`, or the category of a bounce that is not. */
function readingOf(reply: string, more: Partial<OutcomeReport> = {}): string | null {
  const read = readOutcome({ email: EMAIL, outcome: 'bounced', reply, ...more }, NOW);
  assert(!('message' in read));
  return read.isHard ? 'hard' : read.category;
}

/** A reply with its codes, as another program quotes it. */
interface Quoted {
  code: string;
  status: string;
  text: string;
}
const whole = ({ code, status, text }: Quoted) => `${code} ${status} ${text}`;

/** What the programs write around the reply of another server. Their own code and words speak of something else. */
const WRAPPERS: Readonly<Record<string, (quoted: Quoted) => string>> = {
  'Cisco, with the code': ({ code, status, text }) =>
    `5.1.0 - Unknown address error ${code}-'${status} ${text}' (delivery attempts: 0)`,
  'Cisco, as a list': ({ code, status, text }) =>
    `5.1.0 - Unknown address error ('${code}', ['${status} ${text}'])`,
  'Cisco, without the code': ({ status, text }) =>
    `5.1.0 - Unknown address error '${status} ${text}' (delivery attempts: 0)`,
  'Cisco, expired': ({ code, status, text }) =>
    `5.4.7 - Delivery expired (message too old) ${code}-'${status} ${text}' (delivery attempts: 42)`,
  'Cisco, behind a code': ({ code, status, text }) =>
    `554 5.1.0 - Unknown address error ${code}-'${status} ${text}' (delivery attempts: 0)`,
  'Sendmail, reason': (quoted) => `(reason: ${whole(quoted)})`,
  'Sendmail, said': (quoted) => `550 5.1.1 User unknown... mx.example.com. said: ${whole(quoted)}`,
  'Sendmail, deferred': (quoted) => `554 5.0.0 <ghost@example.com>... Deferred: ${whole(quoted)}`,
  'Postfix, said': (quoted) =>
    `host mx.example.com[192.0.2.25] said: ${whole(quoted)} (in reply to RCPT TO command)`,
  'Postfix, address verification': (quoted) =>
    `550 5.1.1 <ghost@example.com>: Recipient address rejected: undeliverable address: host mx.example.com[192.0.2.25] said: ${whole(quoted)} (in reply to RCPT TO command)`,
  Amavis: (quoted) => `550 5.1.1 id=12-34, from MTA(smtp:[127.0.0.1]:10025): ${whole(quoted)}`,
  Exim: (quoted) =>
    `SMTP error from remote mail server after RCPT TO:<ghost@example.com>: host mx.example.com [192.0.2.25]: ${whole(quoted)}`,
  'Exim, retry timeout': (quoted) =>
    `550 retry timeout exceeded, user unknown: SMTP error from remote mail server after RCPT TO:<ghost@example.com>: host mx.example.com [192.0.2.25]: ${whole(quoted)}`,
  qmail: (quoted) => `192.0.2.25 does not like recipient.\nRemote host said: ${whole(quoted)}`,
  'Exchange, returned': (quoted) => `Remote Server returned '${whole(quoted)}'`,
  'Exchange, returned with a host': (quoted) =>
    `554 5.1.1 Remote Server returned '<mx.example.com #5.1.1 smtp;${whole(quoted)}>'`,
  'Exchange, arrow': (quoted) =>
    `550 5.1.351 Remote server returned unknown recipient or mailbox unavailable -> ${whole(quoted)}`,
  'Exchange, expired': (quoted) => `550 5.4.300 Message expired -> ${whole(quoted)}`,
  'Exchange, last error': (quoted) => `550 5.1.1 Message expired, user unknown LastError=${whole(quoted)}`,
  'Exchange, details': (quoted) =>
    `550 5.4.317 Message expired, user unknown [{LED=${whole(quoted)}};{MSG=};{FQDN=mx.example.com};{IP=192.0.2.25};{LRT=11/10/2026 9:59:00 AM}]`,
  'Exchange 2003': (quoted) => `<mx.example.com #5.1.1 smtp;${whole(quoted)}>`,
  'Amazon SES, expired': (quoted) =>
    `550 4.4.7 Message expired: unable to deliver in 840 minutes.<${whole(quoted)}>`,
  Barracuda: (quoted) =>
    `550 permanent failure for one or more recipients (ghost@example.com:${whole(quoted)})`,
  Momentum: (quoted) =>
    `554 5.1.1 [internal] exceeded max time without delivery, user unknown (${whole(quoted)})`,
  Gmail: (quoted) => `550 5.1.1 Address not found. The response from the remote server was: ${whole(quoted)}`,
  'a relay': (quoted) => `550 5.1.1 User unknown; downstream server responded: ${whole(quoted)}`,
  'a wrapper in a wrapper': (quoted) =>
    `554 5.0.0 Service unavailable, user unknown: host relay.example.com[192.0.2.9] said: 550 5.1.1 Unknown address -> ${whole(quoted)}`,
};

describe.each(Object.entries(WRAPPERS))('the reply in the words of %s', (_, wrap) => {
  it.each<[string, Quoted, string | null]>([
    [
      'that there is no such mailbox is hard',
      { code: '550', status: '5.1.1', text: '<ghost@example.com>... User unknown' },
      'hard',
    ],
    [
      'that it is disabled is hard',
      { code: '550', status: '5.2.1', text: 'The account ghost has been disabled' },
      'hard',
    ],
    [
      'that it is full is no more',
      { code: '552', status: '5.2.2', text: '<ghost@example.com>... Mailbox full' },
      'mailbox_full',
    ],
    [
      'that it is full now is no more',
      { code: '452', status: '4.2.2', text: 'The mailbox is over quota' },
      'mailbox_full',
    ],
    [
      'that we are refused is no more',
      { code: '554', status: '5.7.1', text: 'Client host [192.0.2.1] blocked using zen.spamhaus.org' },
      'sender_blocked',
    ],
  ])('%s', (_, quoted, reading) => {
    expect(readingOf(wrap(quoted))).toBe(reading);
  });

  it('that access is denied is not hard, whatever status the wrapper has', () => {
    const reply = wrap({ code: '550', status: '5.7.1', text: '<ghost@example.com>... Access denied' });
    for (const enhancedCode of [null, '5.1.1', '5.1.0']) {
      expect(readingOf(reply, { enhancedCode })).not.toBe('hard');
    }
  });
});

describe('a quoted reply', () => {
  it.each([
    [
      'without a status',
      '550 5.1.351 Remote server returned unknown recipient or mailbox unavailable -> 550 : User unknown',
      'hard',
    ],
    [
      'without a status, about space',
      "5.1.0 - Unknown address error 552-'Mailbox full' (delivery attempts: 0)",
      'mailbox_full',
    ],
    [
      'without any code',
      "5.1.0 - Unknown address error 'Mailbox full' (delivery attempts: 0)",
      'mailbox_full',
    ],
    [
      'of an unknown user in a general wrapper',
      "5.3.0 - Other mail system problem 550-'Unknown user' (delivery attempts: 0)",
      'hard',
    ],
    [
      'of an unknown user in a wrapper about service',
      '554 5.0.0 Service unavailable: host mx.example.com said: 550 unknown user',
      'hard',
    ],
    [
      'about a mailbox that was not asked',
      "5.1.0 - Unknown address error 550-'5.2.2 <ghost@example.com>... Mailbox Full'",
      'mailbox_full',
    ],
    [
      'of a mailbox that is full and not used',
      "552 5.2.2 The recipient's inbox is out of storage space and inactive.",
      'mailbox_full',
    ],
    ['of a status alone', '4.2.2 mailbox of ghost is full', 'mailbox_full'],
  ])('%s decides', (_, reply, reading) => expect(readingOf(reply)).toBe(reading));

  it.each([
    '550-Verification failed for <news@sender.example>\n550-Called:   192.0.2.25\n550-Sent:     RCPT TO:<news@sender.example>\n550-Response: 550 5.1.1 User unknown\n550 Sender verify failed',
    '550-Callback setup failed while verifying <news@sender.example>\n550-The initial connection was rejected. Response was:\n550-550 5.1.1 User unknown\n550 Sender verify failed',
    '550 5.1.7 <news@sender.example>: Sender address rejected: undeliverable address: host mx.sender.example[192.0.2.1] said: 550 5.1.1 User unknown (in reply to RCPT TO command)',
    '550 5.7.1 Sender callback failed: mx.sender.example said: 550 no such user',
  ])('about our own address says nothing about the recipient: %#', (reply) => {
    expect(readingOf(reply)).not.toBe('hard');
  });

  it.each([
    '552 5.3.4 Message size exceeds the limit: 500 MB',
    '550 5.7.1 Blocked (see RFC 821: 550 codes)',
    '421 4.4.2 Timeout: 450 seconds',
  ])('is no number of another kind: %s', (reply) => {
    expect(readingOf(reply)).not.toBe('hard');
  });

  it('keeps its temporary class where the wrapper has another', () => {
    expect(
      readingOf('550 5.4.7 Delivery time expired: host mx.example.com said: 450 4.1.1 User unknown for now'),
    ).not.toBe('hard');
    expect(readingOf('4.4.1 No answer from the host of this unknown user')).not.toBe('hard');
  });

  it.each([
    'procmail: Lock failure on "/var/virtmail/ghost/mailbox.lock" procmail: Error while writing to "/var/virtmail/ghost/mailbox"',
    'procmail: Couldn\'t create "/var/spool/mail/ghost" id: ghost: No such user',
    "can't create user output file",
    'maildrop: Unable to open mailbox.',
    "Sorry, I couldn't find any host named users.example.com.",
  ])('of a program that could not write to a mailbox is not hard: %s', (text) => {
    expect(readingOf(`550 5.2.0 ${text}`)).not.toBe('hard');
    expect(readingOf(text, { enhancedCode: '5.3.0' })).not.toBe('hard');
  });
});
