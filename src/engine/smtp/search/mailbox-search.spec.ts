import { afterEach, describe, expect, it } from '@jest/globals';
import { greetingWith, mailboxes, recipients } from '../../../../test/support/smtp/smtp-behaviours.js';
import { ask } from '../../../../test/support/smtp/smtp-probe.js';
import { SmtpWorld, type SmtpSites } from '../../../../test/support/smtp/smtp-world.js';
import { SmtpTranscript } from '../smtp-transcript.js';

const A = '127.0.0.41';
const B = '127.0.0.42';
/** No server listens here. */
const CLOSED = '127.0.0.43';
const IN_TURN = { 'mx1.test': [A], 'mx2.test': [B] };

const DENIED = '554 5.7.1 <{recipient}>: Relay access denied';
const denying = recipients({}, DENIED);

let world: SmtpWorld;
afterEach(() => world.stop());

async function given(sites: SmtpSites): Promise<number> {
  world = await SmtpWorld.start(sites);
  return world.port;
}

describe('a domain whose servers deny relaying', () => {
  it('has no mail server, if all of them deny it for the postmaster too', async () => {
    const port = await given({ [A]: denying, [B]: recipients({}, '550 relay not permitted') });
    const transcript = new SmtpTranscript();
    const requester = { team: '', priority: 'single' as const, transcript };
    expect(await ask(port, { hosts: IN_TURN, requester })).toMatchObject({
      end: 'relaying_denied',
      evidence: { stage: 'rcpt', code: 554, rule: 'recipient5xx.relaying', mxHost: 'mx1.test' },
      random: null,
    });
    const asked = ['RCPT TO:<jane@example.com>', 'RCPT TO:<postmaster@example.com>'];
    expect([world.at(A), world.at(B)].map((server) => server.commandsOf('RCPT'))).toEqual([asked, asked]);
    expect(transcript.lines.map(({ text }) => text)).toEqual(expect.arrayContaining(asked));
  });

  it.each([
    ['one of its hosts has no address', { 'mx1.test': [A], 'gone.test': 'none' }],
    ['its hosts have the same address', { 'mx1.test': [A], 'mx2.test': [A] }],
    ['one address of the host cannot be reached', { 'mx1.test': [CLOSED, A] }],
  ] as const)('has none either, if %s', async (_, hosts) => {
    const port = await given({ [A]: denying });
    expect(await ask(port, { hosts })).toMatchObject({ end: 'relaying_denied' });
  });

  it.each([
    ['the postmaster is accepted', { [A]: recipients({ postmaster: '250 Ok' }, DENIED), [B]: denying }],
    ['the postmaster is unknown', { [A]: recipients({ jane: DENIED }), [B]: denying }],
    ['another server accepts the address', { [A]: denying, [B]: mailboxes('jane') }],
    ['another server does not know the address', { [A]: denying, [B]: mailboxes() }],
    ['another server rejects us', { [A]: denying, [B]: greetingWith('554 5.7.1 blocked') }],
    ['another server cannot be reached', { [A]: denying }],
    ['they deny it for now', { [A]: recipients({}, '454 4.7.1 Relay access denied'), [B]: denying }],
    ['they require a login', { [A]: recipients({}, '550 5.7.1 Authentication required'), [B]: denying }],
  ])('may have one, if %s: the first reply is the result', async (_, sites) => {
    const result = await ask(await given(sites), { hosts: IN_TURN });
    expect(result).toMatchObject({ end: 'replied', evidence: { category: 'policy', mxHost: 'mx1.test' } });
  });

  it('may have one among the hosts that are not probed', async () => {
    const port = await given({ [A]: denying });
    const hosts = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`mx${n}.test`, [A]]));
    expect(await ask(port, { hosts })).toMatchObject({ end: 'replied', evidence: { category: 'policy' } });
  });
});

it('the search ends before a host that may not be dialled', async () => {
  const port = await given({ [A]: greetingWith('554 5.7.1 blocked'), [B]: mailboxes('jane') });
  const questions: string[] = [];
  const gate = { acquire: async (mxHost: string) => questions.push(mxHost) === 1 };
  const hosts = { 'gone.test': 'none' as const, ...IN_TURN };
  expect(await ask(port, { hosts, gate })).toMatchObject({ evidence: { mxHost: 'mx1.test' } });
  expect([questions, world.at(B).connections]).toEqual([['mx1.test', 'mx2.test'], 0]);
});
