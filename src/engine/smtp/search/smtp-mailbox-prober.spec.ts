import { afterEach, describe, expect, it } from '@jest/globals';
import {
  HANG_UP,
  SILENCE,
  answeringMail,
  catchAll,
  greetingWith,
  greylisting,
  mailboxes,
  offeringSmtpUtf8,
  oneRecipientPer,
  recipients,
  requiringTls,
  thenAnswering,
  type SmtpBehaviour,
} from '../../../../test/support/smtp/smtp-behaviours.js';
import { ask } from '../../../../test/support/smtp/smtp-probe.js';
import { SmtpWorld, type SmtpSites } from '../../../../test/support/smtp/smtp-world.js';
import { randomLocalPart } from './random-probes.js';

const A = '127.0.0.11';
const B = '127.0.0.12';
/** No server listens here. */
const CLOSED = '127.0.0.13';
const IN_TURN = { 'mx1.test': [A], 'mx2.test': [B] };

let world: SmtpWorld;
afterEach(() => world.stop());

async function given(sites: SmtpSites): Promise<number> {
  world = await SmtpWorld.start(sites);
  return world.port;
}

describe('failover', () => {
  const good = recipients({ jane: '250 2.1.5 second' });

  it.each([
    ['turns us away for now', greetingWith('421 4.3.2 busy')],
    ['turns us away for good', greetingWith('554 5.7.1 blocked')],
    ['hangs up', greetingWith(HANG_UP)],
    ['does not speak SMTP', greetingWith('hello')],
    ['rejects our name', { ...good, ehlo: '550 5.7.1 no', helo: '550 5.7.1 no' }],
    ['rejects our sender for now', answeringMail('451 4.3.0 later')],
    ['rejects our sender for good', answeringMail('550 5.7.1 no')],
    ['says 421 at RCPT', recipients({ jane: '421 4.3.0 closing' })],
    ['requires TLS that it lacks', { ...requiringTls(good, 'rcpt'), startTls: 'broken' as const }],
  ])('tries the next host when the first one %s', async (_what, first: SmtpBehaviour) => {
    const result = await ask(await given({ [A]: first, [B]: good }), { hosts: IN_TURN });
    expect(result).toMatchObject({
      end: 'replied',
      evidence: { text: 'second', mxHost: 'mx2.test', attempts: 2 },
    });
  });

  it('tries the next address of a host, and the next host, when one cannot be reached', async () => {
    const port = await given({ [A]: good });
    const result = await ask(port, { hosts: { 'mx1.test': [CLOSED, A] } });
    expect(result.evidence).toMatchObject({ category: 'accepted', attempts: 2, mxHost: 'mx1.test' });
    const other = await ask(port, { hosts: { 'dead.test': [CLOSED], 'gone.test': 'none', 'mx2.test': [A] } });
    expect(other.evidence).toMatchObject({ category: 'accepted', attempts: 2, mxHost: 'mx2.test' });
  });

  it.each([
    ['550 5.1.1 User unknown', 'mailbox_not_found'],
    ['451 4.3.0 later', 'temporary'],
    ['554 5.7.1 Client host blocked using zen.spamhaus.org', 'sender_blocked'],
  ])('stops once RCPT was answered: %s', async (reply, category) => {
    const result = await ask(await given({ [A]: recipients({ jane: reply }), [B]: catchAll() }), {
      hosts: IN_TURN,
    });
    expect(result.evidence).toMatchObject({ stage: 'rcpt', category, attempts: 1 });
    expect(world.at(B).connections).toBe(0);
  });

  it('reserves half of the time for the next host when one does not answer', async () => {
    const port = await given({ [A]: greetingWith(SILENCE), [B]: good });
    const result = await ask(port, { hosts: IN_TURN, deadlineMs: 1_500 });
    expect(result.evidence).toMatchObject({ category: 'accepted', mxHost: 'mx2.test' });
  });

  it('tries hosts by preference, whatever their order', async () => {
    const port = await given({ [A]: good, [B]: mailboxes() });
    const result = await ask(port, { hosts: IN_TURN, preferences: { 'mx1.test': 20, 'mx2.test': 10 } });
    expect(result.evidence).toMatchObject({ mxHost: 'mx2.test', attempts: 1 });
  });

  it('tries hosts of one preference in any order', async () => {
    const port = await given({ [A]: good, [B]: good });
    const first = new Set<string>();
    for (let round = 0; round < 60 && first.size < 2; round += 1) {
      const result = await ask(port, { hosts: IN_TURN, preferences: { 'mx1.test': 5, 'mx2.test': 5 } });
      first.add(result.evidence?.mxHost ?? '');
    }
    expect(first).toEqual(new Set(['mx1.test', 'mx2.test']));
  });

  it('dials an address once, and no more than three of a host and five hosts', async () => {
    const port = await given({ [A]: greetingWith('554 5.7.1 blocked') });
    const many = ['127.0.0.21', '127.0.0.22', '127.0.0.23', '127.0.0.24'];
    const hosts = Object.fromEntries(Array.from({ length: 7 }, (_, n) => [`mx${n}.test`, [`127.0.1.${n}`]]));
    expect((await ask(port, { hosts: { 'mx1.test': [A], 'mx2.test': [A] } })).evidence?.attempts).toBe(1);
    expect(world.at(A).connections).toBe(1);
    expect((await ask(port, { hosts: { 'mx1.test': many } })).evidence?.attempts).toBe(3);
    expect((await ask(port, { hosts })).evidence?.attempts).toBe(5);
  });
});

describe('when no host answers', () => {
  it.each([
    ['a rejection outranks a closed port', greetingWith('554 5.7.1 blocked'), 'replied', 'sender_blocked'],
    ['a busy server outranks a closed port', greetingWith('421 4.3.2 busy'), 'replied', 'temporary'],
    [
      '"no mail here" is not believed while another host is in doubt',
      greetingWith('521 5.3.2 no mail here'),
      'no_connect',
      null,
    ],
    ['a timeout outranks a closed port', greetingWith(SILENCE), 'timeout', null],
  ])('%s', async (_what, behaviour, end, category) => {
    const hosts = { 'dead.test': [CLOSED], 'mx1.test': [A] };
    const result = await ask(await given({ [A]: behaviour }), { hosts }, { commandTimeoutMs: 500 });
    expect(result).toMatchObject({ end, evidence: { category, attempts: 2 } });
  });

  it('a rejection of our sender is preferred to an overloaded server, in either order', async () => {
    const port = await given({ [A]: greetingWith('421 4.3.2 busy'), [B]: greetingWith('554 5.7.1 blocked') });
    expect((await ask(port, { hosts: IN_TURN })).evidence).toMatchObject({
      category: 'sender_blocked',
      attempts: 2,
    });
  });

  it('null MX is used when every host reports it', async () => {
    const port = await given({ [A]: greetingWith('521 5.3.2 no mail here'), [B]: greetingWith('556 no') });
    expect(await ask(port, { hosts: IN_TURN })).toMatchObject({
      end: 'replied',
      evidence: { category: 'null_mx' },
    });
  });

  it('a refused connection is no_connect', async () => {
    const port = await given({ [A]: catchAll() });
    const result = await ask(port, { hosts: { 'mx1.test': [CLOSED] } });
    expect(result).toMatchObject({
      end: 'no_connect',
      evidence: { stage: 'connect', code: null, attempts: 1 },
    });
  });

  it('a deadline during the last attempt is a timeout', async () => {
    const port = await given({ [A]: greetingWith(SILENCE) });
    const result = await ask(port, { hosts: { 'mx1.test': [A] }, deadlineMs: 200 });
    expect(result).toMatchObject({ end: 'timeout', evidence: { stage: 'banner' } });
  });

  it('a deadline in the past dials nobody', async () => {
    const port = await given({ [A]: catchAll() });
    const result = await ask(port, { hosts: { 'mx1.test': [A] }, signal: AbortSignal.abort() });
    expect(result).toEqual({ end: 'timeout', evidence: null, random: null, smtputf8: null, rejections: [] });
    expect(world.at(A).connections).toBe(0);
  });
});

describe('hosts without a usable address', () => {
  it.each([
    ['no address, with authority', { 'mx1.test': 'none', 'mx2.test': 'none' }, 'no_address'],
    ['an address nobody could learn', { 'mx1.test': 'none', 'mx2.test': 'error' }, 'dns_error'],
    ['addresses that must not be dialled', { 'mx1.test': [A], 'mx2.test': 'none' }, 'unsafe_mail_server'],
  ] as const)('%s', async (_what, hosts, end) => {
    const port = await given({ [A]: catchAll() });
    const result = await ask(port, { hosts }, { policy: { allows: () => false } });
    expect(result).toEqual({ end, evidence: null, random: null, smtputf8: null, rejections: [] });
    expect(world.at(A).connections).toBe(0);
  });

  it('do not prevent others from being dialled, and a forbidden address is skipped', async () => {
    const port = await given({ [A]: catchAll(), [B]: mailboxes('jane') });
    const hosts = { 'gone.test': 'none', 'mx.test': [A, B] } as const;
    const result = await ask(port, { hosts }, { policy: { allows: (ip) => ip === B } });
    expect(result.evidence).toMatchObject({ category: 'accepted', attempts: 1 });
    expect(world.at(A).connections).toBe(0);
  });
});

describe('the random address', () => {
  const hosts = { 'mx.test': [A] };
  const asked = async (behaviour: SmtpBehaviour, recipient = 'jane@example.com') =>
    ask(
      await given({ [A]: behaviour }),
      { hosts, recipient, probeRandom: true },
      { commandTimeoutMs: 1_000 },
    );

  it.each([
    ['accepted', catchAll()],
    ['rejected', mailboxes('jane')],
    ['rejected', thenAnswering(mailboxes('jane'), '550 5.2.1 Mailbox disabled')],
    ['rejected', thenAnswering(mailboxes('jane'), '524 5.2.4 Mailing list expansion problem')],
    ['unusable', thenAnswering(mailboxes('jane'), '550 5.7.1 Client host blocked')],
    ['unusable', thenAnswering(mailboxes('jane'), '552 5.2.2 Mailbox full')],
    ['unusable', recipients({ jane: '250 2.1.5 Ok' }, HANG_UP)],
    ['unusable', recipients({ jane: '250 2.1.5 Ok' }, SILENCE)],
    // In a new session, after the first one rejected a second recipient.
    ['rejected', oneRecipientPer('connection', mailboxes('jane'))],
    ['rejected', thenAnswering(mailboxes('jane'), HANG_UP)],
    ['rejected', thenAnswering(mailboxes('jane'), SILENCE)],
    ['rejected', { ...mailboxes('jane'), rset: '421 closing' }],
  ] as const)('is %s', async (expected, behaviour) => {
    const result = await asked(behaviour);
    expect(result).toMatchObject({
      end: 'replied',
      random: expected,
      evidence: { category: 'accepted', code: 250 },
    });
  });

  it('is probed in its own transaction, after the real one', async () => {
    const result = await asked(oneRecipientPer('transaction', mailboxes('jane')));
    expect(result.random).toBe('rejected');
    const verbs = world.at(A).commands.map((line) => line.split(/[ :]/)[0]);
    expect(verbs.slice(0, 6)).toEqual(['EHLO', 'MAIL', 'RCPT', 'RSET', 'MAIL', 'RCPT']);
    expect(world.at(A).commandsOf('RCPT')[0]).toBe('RCPT TO:<jane@example.com>');
    expect(world.at(A).commandsOf('RCPT')[1]).toMatch(/^RCPT TO:<[a-z]+\.[a-z]+\d{4}@example\.com>$/);
  });

  it('is not probed when the real one was rejected, or when it is not requested', async () => {
    expect((await asked(mailboxes())).random).toBeNull();
    expect(world.at(A).commandsOf('RCPT')).toHaveLength(1);
    await world.stop();
    const port = await given({ [A]: catchAll() });
    expect((await ask(port, { hosts })).random).toBeNull();
  });

  it('has a plausible local part: starts with letters, short enough, and unique', () => {
    const made = Array.from({ length: 500 }, randomLocalPart);
    expect(new Set(made).size).toBe(500);
    for (const local of made) expect(local).toMatch(/^(?=.{12,64}$)[a-z]+\.[a-z]+\d{4}$/);
  });
});

describe('an international address', () => {
  const recipient = 'jörg@example.com';

  it('is sent with SMTPUTF8 to a host that supports it, after one that does not', async () => {
    const port = await given({ [A]: catchAll(), [B]: offeringSmtpUtf8(mailboxes('jörg')) });
    const result = await ask(port, { hosts: IN_TURN, recipient });
    expect(result).toMatchObject({ end: 'replied', smtputf8: true, evidence: { category: 'accepted' } });
    expect(world.at(B).commandsOf('MAIL')).toEqual(['MAIL FROM:<verify@rcpt.test> SMTPUTF8']);
    expect(world.at(A).commandsOf('MAIL')).toEqual([]);
  });

  it('is unsupported when no host supports it', async () => {
    const result = await ask(await given({ [A]: catchAll(), [B]: catchAll() }), {
      hosts: IN_TURN,
      recipient,
    });
    expect(result).toMatchObject({ end: 'smtputf8_unsupported', smtputf8: false });
    expect(result.evidence).toMatchObject({ stage: 'ehlo', category: 'smtputf8', attempts: 2 });
  });

  it.each([
    ['cannot be reached', { 'mx1.test': [A], 'mx2.test': [CLOSED] }, 'no_connect'],
    ['has an address nobody could learn', { 'mx1.test': [A], 'mx2.test': 'error' }, 'dns_error'],
  ] as const)('is not unsupported while another host %s', async (_what, hosts, end) => {
    expect((await ask(await given({ [A]: catchAll() }), { hosts, recipient })).end).toBe(end);
  });

  it('is the only case for SMTPUTF8 in MAIL', async () => {
    await ask(await given({ [A]: offeringSmtpUtf8(catchAll()) }), { hosts: { 'mx.test': [A] } });
    expect(world.at(A).commandsOf('MAIL')).toEqual(['MAIL FROM:<verify@rcpt.test>']);
  });
});

describe('the evidence', () => {
  const hosts = { 'mx.test': [A] };

  it('contains the decisive reply, safe to show', async () => {
    const reply = `550-5.1.1 \u001b[31mno\u202Esuch user\n550 5.1.1 ${'x'.repeat(500)}`;
    const { evidence } = await ask(await given({ [A]: recipients({ jane: reply }) }), { hosts });
    expect(evidence).toMatchObject({ stage: 'rcpt', code: 550, enhancedCode: '5.1.1', mxHost: 'mx.test' });
    expect(evidence?.text).toHaveLength(200);
    expect(evidence?.text).toMatch(/^\[31mnosuch user x+$/);
  });

  it('reports greylisting the first time and the mailbox the second', async () => {
    const port = await given({ [A]: greylisting(mailboxes('jane')) });
    expect((await ask(port, { hosts })).evidence?.category).toBe('greylisted');
    expect((await ask(port, { hosts })).evidence?.category).toBe('accepted');
  });

  it('is interpreted by the rules of the provider of the host name', async () => {
    const denied = recipients({ jane: '550 5.4.1 Recipient address rejected: Access denied' });
    const port = await given({ [A]: denied });
    const microsoft = await ask(port, { hosts: { 'x-com.mail.protection.outlook.com': [A] } });
    expect(microsoft.evidence?.category).toBe('mailbox_not_found');
    expect((await ask(port, { hosts })).evidence?.category).toBe('policy');
  });
});
