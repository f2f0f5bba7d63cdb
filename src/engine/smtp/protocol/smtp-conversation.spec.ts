import { afterEach, describe, expect, it } from '@jest/globals';
import {
  HANG_UP,
  RESET,
  SILENCE,
  greetingInLines,
  greetingWith,
  mailboxes,
  offeringTls,
  postscreen,
  recipients,
  requiringTls,
  wantingFullName,
  withoutEhlo,
  type SmtpBehaviour,
} from '../../../../test/support/smtp/smtp-behaviours.js';
import { ask, type Asking } from '../../../../test/support/smtp/smtp-probe.js';
import { SmtpServer } from '../../../../test/support/smtp/smtp-server.js';
import { DirectDialler } from '../../../platform/net/dialler.js';
import { SmtpConversation } from './smtp-conversation.js';
import type { SmtpMailboxProberOptions } from '../search/smtp-mailbox-prober.js';

let server: SmtpServer;
afterEach(() => server.stop());

/** Probes one server for jane@example.com. */
async function meet(
  behaviour: SmtpBehaviour,
  asking: Partial<Asking> = {},
  options: Partial<SmtpMailboxProberOptions> = {},
) {
  server = await SmtpServer.start({ behaviour });
  return ask(server.port, { hosts: { 'mx.test': ['127.0.0.1'] }, ...asking }, options);
}

const jane = mailboxes('jane');

/** Sends a blank line after each reply. */
function withBlankLines(base: SmtpBehaviour): SmtpBehaviour {
  const blank = { raw: '\r\n' };
  return {
    ...base,
    banner: [base.banner, blank],
    mail: (offer) => [base.mail(offer), blank],
    rcpt: (asking) => [base.rcpt(asking), blank],
    rset: [base.rset, blank],
  };
}

describe('the session', () => {
  it('sends EHLO, MAIL, RCPT and QUIT only', async () => {
    const result = await meet(mailboxes('jane'));
    expect(result.evidence).toMatchObject({
      stage: 'rcpt',
      code: 250,
      category: 'accepted',
      attempts: 1,
      tls: false,
    });
    await server.until(({ openConnections }) => openConnections === 0);
    expect(server.commands).toEqual([
      'EHLO verify.rcpt.test',
      'MAIL FROM:<verify@rcpt.test>',
      'RCPT TO:<jane@example.com>',
      'QUIT',
    ]);
  });

  it('uses the null sender when configured', async () => {
    await meet(mailboxes('jane'), {}, { mailFrom: '' });
    expect(server.commands).toContain('MAIL FROM:<>');
  });

  it.each([
    ['a greeting in many lines', greetingInLines(mailboxes('jane'))],
    ['a teaser line before the greeting', postscreen(mailboxes('jane'), 150)],
    ['a greeting that is late', { ...mailboxes('jane'), banner: { afterMs: 150, then: '220 mx.test' } }],
    ['a greeting octet by octet', { ...mailboxes('jane'), banner: { drip: '220 mx.test', everyMs: 5 } }],
    ['line ends without CR', { ...mailboxes('jane'), banner: { raw: '220-mx\n220 test\n' } }],
    ['a server that supports HELO only', withoutEhlo(mailboxes('jane'))],
    ['a server that requires a full name', wantingFullName(mailboxes('jane'))],
    ['a blank line after the greeting', greetingWith({ raw: '220 mx.test ESMTP\r\n\r\n' }, jane)],
    ['a blank line before the greeting', greetingWith({ raw: '\r\n220 mx.test ESMTP\r\n' }, jane)],
    ['a late blank line', greetingWith(['220 mx.test', { afterMs: 50, then: { raw: '\r\n' } }], jane)],
    ['blank lines in the reply to EHLO', { ...jane, ehlo: '250-mx.test\n\n250-SIZE\n \n250 HELP' }],
    ['text without a code in the reply to EHLO', { ...jane, ehlo: '250-mx.test\nSIZE 1000\n250 HELP' }],
    ['blank lines after every reply, without PIPELINING', withBlankLines({ ...jane, extensions: [] })],
    ['blank lines after every reply, and PIPELINING', withBlankLines(jane)],
    ['a reply in many lines', recipients({ jane: '250-2.1.5 so\n250-2.1.5 be\n250 2.1.5 it' })],
  ])('stays synchronized with %s', async (_what, behaviour: SmtpBehaviour) => {
    const result = await meet(behaviour);
    expect(result).toMatchObject({ end: 'replied', evidence: { stage: 'rcpt', category: 'accepted' } });
  });

  it('sends QUIT also after a rejection, without delaying the result', async () => {
    const result = await meet(greetingWith('554 5.7.1 Client host blocked'));
    expect(result.evidence).toMatchObject({ stage: 'banner', code: 554, category: 'sender_blocked' });
    await server.until(({ commands }) => commands.includes('QUIT'));
  });

  it('treats a greeting that changes to a rejection as a rejection, as sent by postscreen', async () => {
    const banner = '220-mx.test ESMTP\n521 5.7.1 Service unavailable; client [192.0.2.1] blocked using rbl';
    const result = await meet(greetingWith([banner, HANG_UP]));
    expect(result).toMatchObject({ end: 'replied', evidence: { code: 521, category: 'sender_blocked' } });
  });

  it('sends a quoted local part as it was written', async () => {
    await meet(mailboxes(), { recipient: '"jane doe"@example.com' });
    expect(server.commandsOf('RCPT')).toEqual(['RCPT TO:<"jane doe"@example.com>']);
  });

  it.each(['jane@example.com>\r\nDATA', 'jane\n@example.com', 'jane\0@example.com'])(
    'never sends a line break or NUL: %p',
    async (mailbox) => {
      server = await SmtpServer.start({ behaviour: mailboxes() });
      const talk = await converse();
      const signal = AbortSignal.timeout(5_000);
      await talk.hello(signal);
      const recipient = { mailbox, international: false, provider: null };
      await expect(talk.transaction(recipient, true, signal)).rejects.toMatchObject({ kind: 'protocol' });
      const together = talk.pipeline([{ recipient, signal }], false);
      await expect(together).rejects.toMatchObject({ kind: 'protocol' });
      await talk.quit();
      expect(server.commandsOf('RCPT')).toEqual([]);
    },
  );
});

describe('a faulty server', () => {
  it.each([
    ['closes at once', HANG_UP, 'banner'],
    ['resets before it greets', { afterMs: 30, then: RESET }, 'banner'],
    ['does not speak SMTP', 'SSH-2.0-OpenSSH_9.2', 'banner'],
    ['greets without end', { endless: '220-welcome to our network\r\n' }, 'banner'],
    ['greets in one endless line', { endless: '220 welcome ' }, 'banner'],
    ['changes its code inside a reply', '220-one\n350 two', 'banner'],
  ])('is a protocol error when it %s', async (_what, banner, stage) => {
    const result = await meet(greetingWith(banner));
    expect(result).toMatchObject({
      end: 'smtp_protocol_error',
      evidence: { stage, code: null, category: null },
    });
  });

  it.each([
    ['EHLO', { ehlo: RESET, helo: RESET }, 'ehlo'],
    ['MAIL', { mail: () => HANG_UP }, 'mail'],
    ['RCPT', { rcpt: () => RESET }, 'rcpt'],
  ])('is a protocol error when it disconnects at %s', async (_verb, part: Partial<SmtpBehaviour>, stage) => {
    const result = await meet({ ...mailboxes('jane'), ...part });
    expect(result).toMatchObject({ end: 'smtp_protocol_error', evidence: { stage } });
  });

  it.each([
    ['greeting', { banner: SILENCE }, 'banner'],
    ['EHLO', { ehlo: SILENCE }, 'ehlo'],
    ['MAIL', { extensions: [], mail: () => SILENCE }, 'mail'],
    ['RCPT', { rcpt: () => ({ drip: '250 2.1.5 Ok', everyMs: 100 }) }, 'rcpt'],
  ])(
    'is a timeout when its reply does not come, at %s',
    async (_verb, part: Partial<SmtpBehaviour>, stage) => {
      const result = await meet({ ...mailboxes('jane'), ...part }, {}, { commandTimeoutMs: 500 });
      expect(result).toMatchObject({ end: 'timeout', evidence: { stage, code: null } });
    },
  );

  it('cannot send a reply in advance for a later command', async () => {
    const result = await meet({ ...mailboxes(), ehlo: '250 mx.test\n250 2.1.0 Ok\n250 2.1.5 Ok' });
    expect(result).toMatchObject({ end: 'smtp_protocol_error', evidence: { stage: 'mail' } });
  });

  it('may send 421 at any time', async () => {
    const result = await meet({ ...mailboxes(), ehlo: ['250 mx.test\n421 4.3.2 shutting down', HANG_UP] });
    expect(result).toMatchObject({ end: 'replied', evidence: { code: 421, category: 'temporary' } });
  });

  it('is disconnected as soon as the signal aborts', async () => {
    const abort = new AbortController();
    server = await SmtpServer.start({
      behaviour: { ...mailboxes('jane'), extensions: [], rcpt: () => SILENCE },
    });
    const answer = ask(server.port, { hosts: { 'mx.test': ['127.0.0.1'] }, signal: abort.signal });
    await server.until(({ commands }) => commands.some((line) => line.startsWith('RCPT')));
    abort.abort();
    expect(await answer).toMatchObject({ end: 'timeout', evidence: { stage: 'rcpt' } });
  });
});

describe('STARTTLS', () => {
  it.each(['mail', 'rcpt'] as const)('is used when the server requires it at %s', async (stage) => {
    const result = await meet(requiringTls(mailboxes('jane'), stage));
    expect(result.evidence).toMatchObject({ stage: 'rcpt', category: 'accepted', tls: true });
    expect(server.commandsOf('EHLO')).toHaveLength(2);
  });

  it('is not used when it is only offered', async () => {
    const result = await meet(offeringTls(mailboxes('jane')));
    expect(result.evidence).toMatchObject({ category: 'accepted', tls: false });
    expect(server.commandsOf('STARTTLS')).toEqual([]);
  });

  it.each(['refused', 'broken', 'absent'] as const)(
    'that is required and %s leaves the rejection as the reply',
    async (startTls) => {
      const result = await meet({ ...requiringTls(mailboxes('jane')), startTls });
      expect(result).toMatchObject({
        end: 'replied',
        evidence: { stage: 'mail', code: 530, category: 'policy', tls: false },
      });
    },
  );

  it('discards data received before the handshake', async () => {
    const result = await meet({ ...requiringTls(mailboxes()), startTls: 'injecting' });
    expect(result.evidence).toMatchObject({ code: 550, category: 'mailbox_not_found', tls: true });
  });
});

function converse(): Promise<SmtpConversation> {
  const { host: ip, port } = server;
  const dialler = new DirectDialler();
  const limits = { dialler, connectTimeoutMs: 1_000, commandTimeoutMs: 1_000 };
  const signal = AbortSignal.timeout(5_000);
  const identity = { heloName: 'verify.rcpt.test', mailFrom: '' };
  const dialling = { ip, port, mxHost: 'mx.test', ...limits };
  return SmtpConversation.connect(dialling, identity, signal).then(async (talk) => {
    await talk.banner(1_000, signal);
    return talk;
  });
}
