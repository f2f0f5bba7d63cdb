import { afterEach, describe, expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { FakeClock } from '../../../../test/support/time/fake-clock.js';
import {
  greylistingFor,
  mailboxes,
  recipients,
  type SmtpBehaviour,
} from '../../../../test/support/smtp/smtp-behaviours.js';
import { ask, type Asking } from '../../../../test/support/smtp/smtp-probe.js';
import { SmtpServer } from '../../../../test/support/smtp/smtp-server.js';

const HOSTS = { 'mx.test': ['127.0.0.1'] };
const IN_15_SECONDS = '451 4.7.1 Greylisted, try again in 15 seconds';
const LIST = { team: '', priority: 'list' } as const;

let server: SmtpServer;
afterEach(() => server.stop());

/** Defers each sender and recipient once, then answers as `base`. */
function deferring(reply: string, base: SmtpBehaviour): SmtpBehaviour {
  return { ...base, rcpt: (asking) => (asking.times === 1 ? reply : base.rcpt(asking)) };
}

async function probing(behaviour: SmtpBehaviour, asking: Partial<Asking> = {}, maxConnections = 4) {
  server = await SmtpServer.start({ behaviour });
  const clock = new FakeClock();
  const signal = new AbortController();
  const request = { hosts: HOSTS, deadlineMs: 30_000, signal: signal.signal, ...asking };
  let isDone = false;
  const outcome = ask(server.port, request, { clock, maxConnections }).finally(() => (isDone = true));
  while (clock.pausing === 0 && !isDone) await setImmediate();
  return { clock, outcome, abort: () => signal.abort(), isWaiting: () => clock.pausing > 0 };
}

describe('a server that names a delay', () => {
  it('is probed again after it within the call, with the same sender and recipient', async () => {
    const { clock, outcome, isWaiting } = await probing(deferring(IN_15_SECONDS, mailboxes('jane')));
    await clock.advance(14_999);
    expect(isWaiting()).toBe(true);
    expect(server.commandsOf('RCPT')).toHaveLength(1);
    await clock.advance(1_000);
    expect(await outcome).toMatchObject({ evidence: { category: 'accepted', attempts: 2 } });
    expect(new Set(server.commandsOf('MAIL')).size).toBe(1);
    expect(server.commandsOf('RCPT')).toEqual(['RCPT TO:<jane@example.com>', 'RCPT TO:<jane@example.com>']);
  });

  it('is sent the random address too, so that both delays end together', async () => {
    const behaviour = deferring(IN_15_SECONDS, mailboxes('jane'));
    const { clock, outcome } = await probing(behaviour, { probeRandom: true });
    await clock.advance(16_000);
    expect(await outcome).toMatchObject({ random: 'rejected', evidence: { category: 'accepted' } });
    const [jane, random, ...again] = server.commandsOf('RCPT');
    // The mailbox shows that the session still accepts recipients, after three others.
    expect(again).toEqual([jane, random, jane]);
  });

  it('is probed again one time only', async () => {
    const { clock, outcome, isWaiting } = await probing(recipients({ jane: IN_15_SECONDS }));
    await clock.advance(16_000);
    expect(await outcome).toMatchObject({ evidence: { category: 'greylisted' } });
    expect(isWaiting()).toBe(false);
    expect(server.commandsOf('RCPT')).toHaveLength(2);
  });

  it('has its connection slot back during the delay: one slot suffices for all recipients', async () => {
    const behaviour = deferring(IN_15_SECONDS, mailboxes('jane'));
    const { clock, outcome } = await probing(behaviour, { probeRandom: true }, 1);
    await clock.advance(16_000);
    expect(await outcome).toMatchObject({ random: 'rejected', evidence: { category: 'accepted' } });
    expect(server.maxConcurrent).toBe(1);
  });

  it('is greylisted at once when the call is aborted', async () => {
    const { outcome, abort } = await probing(deferring(IN_15_SECONDS, mailboxes('jane')));
    abort();
    expect(await outcome).toMatchObject({ end: 'replied', evidence: { category: 'greylisted' } });
    expect(server.commandsOf('RCPT')).toHaveLength(1);
  });

  it.each<[string, string, Partial<Asking>]>([
    ['the delay is longer than the rest of the call', IN_15_SECONDS, { deadlineMs: 16_000 }],
    ['the row of a list would wait for more than 5 s', IN_15_SECONDS, { requester: LIST }],
    ['the reply is about the sender', '450 4.7.1 Client host blocked, try again in 15 seconds', {}],
    ['the reply is permanent', '550 5.7.1 Greylisted, try again in 15 seconds', {}],
    ['no delay is named', '450 4.2.0 Greylisted', {}],
  ])('is not asked again when %s', async (_what, reply, asking) => {
    const { outcome, isWaiting } = await probing(deferring(reply, mailboxes('jane')), asking);
    expect(isWaiting()).toBe(false);
    await outcome;
    expect(server.commandsOf('RCPT')).toHaveLength(1);
  });

  it('keeps the deferral when the second attempt gets no answer', async () => {
    // The second attempt has the rest of the call, in real time.
    const { clock, outcome } = await probing(deferring(IN_15_SECONDS, mailboxes('jane')), {
      deadlineMs: 17_500,
    });
    server.behaviour = { ...mailboxes(), banner: '421 4.3.2 closing' };
    await clock.advance(16_000);
    expect(await outcome).toMatchObject({ end: 'replied', evidence: { category: 'greylisted' } });
    expect(server.connections).toBeGreaterThan(1);
  });

  it('is probed again for the row of a list when the delay is short', async () => {
    const behaviour = greylistingFor(0, '', mailboxes('jane'));
    const reply = '451 4.7.1 Greylisted, try again in 2 seconds';
    const { clock, outcome } = await probing(deferring(reply, behaviour), { requester: LIST });
    await clock.advance(3_000);
    expect(await outcome).toMatchObject({ evidence: { category: 'accepted' } });
  });
});

describe('servers that are all busy', () => {
  it('are tried again after a pause, and what they have said counts if nothing more is said', async () => {
    const busy = { ...mailboxes('jane'), banner: '421 4.3.2 busy' };
    const { clock, outcome } = await probing(busy);
    server.behaviour = { ...busy, banner: { act: 'reset' } };
    await clock.advance(2_000);
    expect(await outcome).toMatchObject({
      end: 'replied',
      evidence: { code: 421, category: 'temporary', attempts: 2 },
    });
  });
});
