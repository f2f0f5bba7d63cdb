import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setMaxListeners } from 'node:events';
import {
  HANG_UP,
  RESET,
  SILENCE,
  catchAll,
  mailboxes,
  oneRecipientPer,
  recipients,
  requiringTls,
  servingAtOnce,
  type Reaction,
  type SmtpBehaviour,
} from '../../../../test/support/smtp/smtp-behaviours.js';
import { poolOptions } from '../../../../test/support/smtp/pool-options.js';
import { SmtpServer } from '../../../../test/support/smtp/smtp-server.js';
import { SystemClock } from '../../../platform/time/system-clock.js';
import type { SmtpProbeResult } from '../protocol/smtp-probe-result.js';
import { SmtpSessionPool, type PoolOptions } from './smtp-session-pool.js';

const clock = new SystemClock();
const IP = '127.0.0.1';

let server: SmtpServer;
let pool: SmtpSessionPool;
let abort: AbortController;

beforeEach(() => {
  abort = new AbortController();
  // Shared by all requests of a test.
  setMaxListeners(0, abort.signal);
});
afterEach(async () => {
  await pool.close();
  await server.stop();
});

async function given(
  behaviour: SmtpBehaviour,
  { port, ...more }: Partial<Pick<PoolOptions, 'port' | 'idleMs'>> = {},
): Promise<void> {
  server = await SmtpServer.start({ behaviour });
  pool = new SmtpSessionPool(poolOptions(port ?? server.port, clock, more));
}

function ask(localPart: string, { signal = abort.signal } = {}): Promise<SmtpProbeResult> {
  const recipient = { mailbox: `${localPart}@example.test`, international: false, provider: null };
  const request = { team: '', priority: 'single', recipient, signal } as const;
  return pool.probe(IP, 'mx.test', { ...request, greetingDeadlineMs: clock.monotonicMs() + 20_000 });
}

function askAbout(count: number, localPart = (n: number) => `jane${n}`): Promise<SmtpProbeResult[]> {
  return Promise.all(Array.from({ length: count }, (_, n) => ask(localPart(n))));
}

const categories = (findings: SmtpProbeResult[]) =>
  new Set(findings.map(({ category, end }) => category ?? end));
/** postscreen, after its deep tests. */
const LATER = '450 4.3.2 Service currently unavailable';
const slowly = (then: string): Reaction => ({ afterMs: 5, then });
const inTurn = (base: SmtpBehaviour): SmtpBehaviour => ({ ...base, extensions: [] });

/** Ends a session at more recipients than this. */
function takingPerSession(most: number, base: SmtpBehaviour, last: Reaction): SmtpBehaviour {
  return { ...base, rcpt: (asking) => (asking.transaction > most ? last : base.rcpt(asking)) };
}

describe('many requests to one server', () => {
  it('share a few connections, each recipient in its own transaction', async () => {
    await given(catchAll());
    expect(categories(await askAbout(60))).toEqual(new Set(['accepted']));
    expect(server.maxConcurrent).toBeLessThanOrEqual(4);
    expect(server.connections).toBeLessThanOrEqual(6);
    expect(server.commandsOf('RCPT')).toHaveLength(60);
    expect(server.commandsOf('RSET')).toHaveLength(60 - server.connections);
  });

  it('get their own results', async () => {
    const even = (n: number) => (n % 2 === 0 ? `jane${n}` : `ghost${n}`);
    const janes = Array.from({ length: 40 }, (_, n) => even(n)).filter((name) => name.startsWith('jane'));
    await given(mailboxes(...janes));
    const findings = await askAbout(40, even);
    const expected = findings.map((_, n) => (n % 2 === 0 ? 'accepted' : 'mailbox_not_found'));
    expect(findings.map(({ category }) => category)).toEqual(expected);
  });

  it('pipeline a transaction where the server offers it, and only there', async () => {
    const early = { ahead: 0 };
    const watching = (base: SmtpBehaviour): SmtpBehaviour => ({
      ...base,
      mail: (offer) => {
        early.ahead += server.commandsOf('RCPT').length >= server.commandsOf('MAIL').length ? 1 : 0;
        return base.mail(offer);
      },
    });
    await given(watching(catchAll()));
    await askAbout(5);
    expect(early.ahead).toBe(5);
    await pool.close();
    await server.stop();
    early.ahead = 0;
    await given(watching(inTurn(catchAll())));
    await askAbout(5);
    expect(early.ahead).toBe(0);
  });

  it('are pipelined together when many wait, and get separate results', async () => {
    await given(mailboxes('jane'));
    let together = 0;
    const watch = setInterval(() => {
      together = Math.max(together, server.commandsOf('RCPT').length);
    }, 1);
    const findings = await askAbout(40, (n) => (n % 2 === 0 ? 'jane' : `ghost${n}`));
    clearInterval(watch);
    const expected = findings.map((_, n) => (n % 2 === 0 ? 'accepted' : 'mailbox_not_found'));
    expect(findings.map(({ category }) => category)).toEqual(expected);
  });

  it.each([
    ['four together when many wait', catchAll().extensions, true],
    ['one by one where the server offers no PIPELINING', [], false],
  ])('are sent %s', async (_how, extensions, isMore) => {
    let [answered, ahead] = [0, 0];
    const rcpt: SmtpBehaviour['rcpt'] = () => {
      ahead = Math.max(ahead, server.commandsOf('RCPT').length - answered++);
      return slowly('250 2.1.5 Ok');
    };
    await given({ ...catchAll(), extensions, rcpt });
    expect(categories(await askAbout(80))).toEqual(new Set(['accepted']));
    expect(ahead > server.maxConcurrent).toBe(isMore);
  });

  it('behind one that broke the session are repeated in another', async () => {
    const rcpt: SmtpBehaviour['rcpt'] = (asking) =>
      ['jane3', 'jane7'].includes(asking.localPart) && asking.times === 1 ? RESET : base.rcpt(asking);
    const base = mailboxes('jane1', 'jane3', 'jane5');
    await given({ ...base, rcpt });
    const findings = await askAbout(10);
    const expected = findings.map((_, n) => ([1, 3, 5].includes(n) ? 'accepted' : 'mailbox_not_found'));
    expect(findings.map(({ category }) => category)).toEqual(expected);
  });

  it('are not pipelined once a server has lost pipelined commands', async () => {
    const losing: SmtpBehaviour = {
      ...mailboxes('jane'),
      mail: () => (server.commands.at(-1)?.startsWith('RCPT') ? RESET : '250 2.1.0 Ok'),
    };
    await given(losing);
    const findings = [await ask('jane'), await ask('ghost')];
    expect(findings.map(({ category }) => category)).toEqual(['accepted', 'mailbox_not_found']);
    expect(server.connections).toBe(2);
  });

  it('need one STARTTLS per session when the server requires it', async () => {
    await given(requiringTls(catchAll()));
    const findings = [...(await askAbout(10)), await ask('late')];
    expect(findings.every(({ category, tls }) => category === 'accepted' && tls)).toBe(true);
    expect(server.commandsOf('STARTTLS')).toHaveLength(server.connections);
  });
});

describe('a session', () => {
  it('ends with QUIT after a number of recipients, and earlier when most are rejected', async () => {
    await given(catchAll());
    await askAbout(120);
    await pool.close();
    expect(server.connections).toBeGreaterThanOrEqual(5);
    expect(server.commandsOf('QUIT')).toHaveLength(server.connections);
    await server.stop();
    await given(mailboxes());
    for (let n = 0; n < 10; n += 1) await ask(`ghost${n}`);
    expect(server.connections).toBe(2);
  });

  it('serves the next request for a while, then sends QUIT', async () => {
    await given(catchAll(), { idleMs: 400 });
    await ask('jane');
    await ask('joe');
    expect([server.connections, server.commandsOf('QUIT')]).toEqual([1, []]);
    await server.until(({ openConnections }) => openConnections === 0);
    expect(server.commandsOf('QUIT')).toHaveLength(1);
  });

  it('that the server closed while idle does not affect the next request', async () => {
    await given(catchAll());
    await ask('jane');
    server.dropAll();
    await server.until(({ openConnections }) => openConnections === 0);
    expect((await ask('joe')).category).toBe('accepted');
  });

  it('whose request was aborted is not used again', async () => {
    await given(inTurn(recipients({ slow: SILENCE }, '250 2.1.5 Ok')));
    const slow = ask('slow');
    await server.until(({ commands }) => commands.some((line) => line.includes('slow')));
    abort.abort();
    expect(await slow).toMatchObject({ end: 'timeout', stage: 'rcpt' });
    expect((await ask('jane', { signal: AbortSignal.timeout(5_000) })).category).toBe('accepted');
    expect(server.connections).toBe(2);
  });
});

describe('a server that limits', () => {
  it.each([1, 2, 3])('its clients to %d concurrent connections loses no request', async (most) => {
    await given(servingAtOnce(most, recipients({}, slowly('250 2.1.5 Ok'))));
    expect(categories(await askAbout(50))).toEqual(new Set(['accepted']));
    expect(server.connections).toBeLessThan(25);
  });

  it.each([1, 2])(
    'its clients to %d connections, and still counts closed ones, loses no request',
    async (most) => {
      await given({ ...servingAtOnce(most, recipients({}, slowly('250 2.1.5 Ok'))), lagMs: 60 });
      expect(categories(await askAbout(50))).toEqual(new Set(['accepted']));
    },
  );

  it.each([
    ['with 421', ['421 4.7.0 Error: too many recipients, closing', HANG_UP] as Reaction],
    ['by hanging up', HANG_UP],
    ['with 452', '452 4.5.3 Too many recipients'],
  ])('a session to three recipients, %s, loses none and is not exceeded again', async (_how, last) => {
    await given(takingPerSession(3, catchAll(), last));
    expect(categories(await askAbout(40))).toEqual(new Set(['accepted']));
    const before = server.commandsOf('RCPT').length;
    expect(categories(await askAbout(30, (n) => `later${n}`))).toEqual(new Set(['accepted']));
    expect(server.commandsOf('RCPT').length - before).toBe(30);
  });

  it('no recipient, but has full mailboxes, is asked once for each, also with 452 without an enhanced code', async () => {
    await given(recipients({ jane: '250 2.1.5 Ok' }, '452 <ghost@example.com>: mailbox quota exceeded'));
    await ask('jane');
    expect(categories(await askAbout(9))).toEqual(new Set(['mailbox_full']));
    expect(server.commandsOf('RCPT')).toHaveLength(10);
  });

  it('a session to one recipient is probed in as many sessions', async () => {
    await given(oneRecipientPer('connection', catchAll()));
    expect(categories(await askAbout(12))).toEqual(new Set(['accepted']));
  });

  it('a session to ten RSETs, as Exim does, is disconnected before that', async () => {
    const exim = { ...catchAll(), banner: '220 mx.test ESMTP Exim 4.96' };
    await given(takingPerSession(11, exim, ['554 Too many nonmail commands', HANG_UP]));
    expect(categories(await askAbout(80))).toEqual(new Set(['accepted']));
    expect(server.commandsOf('RCPT')).toHaveLength(80);
  });

  it('first-time clients is probed again at once, in a new session', async () => {
    const deepTest = { ...catchAll(), rcpt: () => (server.connections === 1 ? LATER : '250 2.1.5 Ok') };
    await given(deepTest);
    expect((await ask('jane')).category).toBe('accepted');
    expect(server.connections).toBe(2);
  });

  it('one recipient permanently has its reply accepted', async () => {
    await given(recipients({ jane: ['421 4.3.2 not now', HANG_UP] }, '250 2.1.5 Ok'));
    await askAbout(3);
    expect(await ask('jane')).toMatchObject({ category: 'temporary', isFinal: false });
    const before = server.connections;
    await askAbout(10, (n) => `joe${n}`);
    expect(server.connections - before).toBeLessThanOrEqual(4);
  });
});

describe('a server that rejects connections', () => {
  it.each([
    ['turns us away', { ...catchAll(), banner: '554 5.7.1 blocked' }, 'sender_blocked', 1],
    ['is too busy', { ...catchAll(), banner: ['421 4.3.2 busy', HANG_UP] }, 'temporary', 1],
    ['breaks off at EHLO and HELO', { ...catchAll(), ehlo: RESET, helo: RESET }, 'smtp_protocol_error', 2],
  ] as const)(
    'is dialled for all waiting requests together: it %s',
    async (_what, behaviour, told, dials) => {
      await given(behaviour);
      expect(categories(await askAbout(50))).toEqual(new Set([told]));
      expect(server.connections).toBe(dials);
    },
  );

  it('is not dialled again at once when it could not be reached', async () => {
    await given(catchAll(), { port: 1 });
    expect(categories([...(await askAbout(3)), await ask('jane')])).toEqual(new Set(['no_connect']));
  });

  it('does not hold aborted requests', async () => {
    await given({ ...catchAll(), banner: SILENCE });
    const waiting = ask('jane');
    await server.until(({ connections }) => connections === 1);
    abort.abort();
    expect(await waiting).toMatchObject({ end: 'timeout', reply: null });
    await server.until(({ openConnections }) => openConnections === 0);
  });
});
