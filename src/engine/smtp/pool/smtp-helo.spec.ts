import { afterEach, describe, expect, it } from '@jest/globals';
import {
  closingAtEhlo,
  HANG_UP,
  mailboxes,
  recipients,
  SILENCE,
} from '../../../../test/support/smtp/smtp-behaviours.js';
import { ask } from '../../../../test/support/smtp/smtp-probe.js';
import { SmtpServer } from '../../../../test/support/smtp/smtp-server.js';
import type { SmtpBehaviour } from '../../../../test/support/smtp/smtp-behaviours.js';

let server: SmtpServer;
afterEach(() => server.stop());

async function meet(behaviour: SmtpBehaviour, recipient = 'jane@example.com') {
  server = await SmtpServer.start({ behaviour });
  return ask(server.port, { hosts: { 'mx.test': ['127.0.0.1'] }, recipient });
}

describe('a server that closes the connection at EHLO', () => {
  it.each([
    ['500', '500 5.5.1 Command unrecognized'],
    ['500 without an enhanced code', '500 what?'],
    ['502', '502 5.5.2 Error: command not recognized'],
    ['504', '504 Command parameter not implemented'],
    ['554', '554 5.5.1 Error'],
    ['421', '421 mx.test closing connection'],
    ['no reply', SILENCE],
  ])('gets HELO in a new connection after %s', async (_code, said) => {
    const { end, evidence } = await meet(closingAtEhlo(mailboxes('jane'), said));
    expect({ end, evidence }).toMatchObject({
      end: 'replied',
      evidence: { code: 250, category: 'accepted' },
    });
    expect(server.commands).toContain('HELO verify.rcpt.test');
    expect(server.commandsOf('EHLO')).toHaveLength(1);
    expect(server.connections).toBe(2);
    expect(server.maxConcurrent).toBe(1);
  });

  it('finds unknown users there too', async () => {
    const { evidence } = await meet(closingAtEhlo(recipients({}, '550 5.1.1 User unknown'), '500 what?'));
    expect(evidence).toMatchObject({ category: 'mailbox_not_found' });
  });

  it('is dialled twice at most, and its first reply counts if it refuses HELO too', async () => {
    const behaviour = {
      ...closingAtEhlo(mailboxes('jane'), '500 5.5.1 what?'),
      helo: ['503 5.5.1 no', HANG_UP],
    };
    const { evidence } = await meet(behaviour);
    expect(evidence).toMatchObject({ stage: 'ehlo', code: 500 });
    expect(server.connections).toBe(2);
  });

  it.each([
    ['our name', '421 Your HELO/EHLO verify.rcpt.test does not match your DNS', 'sender_blocked'],
    ['our address', '554 5.7.1 Client host rejected', 'sender_blocked'],
    ['us, without a reason', '550 Access denied', 'sender_blocked'],
    ['a limit', '421 4.7.0 too many connections', 'temporary'],
    ['its load', '421 Service not available, closing transmission channel', 'temporary'],
    ['a greylist', '421 greylisted, come back later', 'temporary'],
  ])('is not dialled again when it refuses %s', async (_reason, said, category) => {
    const { evidence } = await meet(closingAtEhlo(mailboxes('jane'), said));
    expect(evidence).toMatchObject({ stage: 'ehlo', category });
    expect(server.connections).toBe(1);
  });

  it('is not dialled again when it stays open and refuses HELO in the same connection', async () => {
    await meet({ ...mailboxes('jane'), ehlo: '502 5.5.2 what?', helo: '550 no' });
    expect(server.connections).toBe(1);
  });
});
