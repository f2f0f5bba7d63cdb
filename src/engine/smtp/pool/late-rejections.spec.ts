import { afterEach, describe, expect, it } from '@jest/globals';
import {
  mailboxes,
  SILENCE,
  type Asking,
  type SmtpBehaviour,
} from '../../../../test/support/smtp/smtp-behaviours.js';
import { poolOptions } from '../../../../test/support/smtp/pool-options.js';
import { SmtpServer } from '../../../../test/support/smtp/smtp-server.js';
import { SystemClock } from '../../../platform/time/system-clock.js';
import { SmtpSessionPool } from './smtp-session-pool.js';

const clock = new SystemClock();
const COUNT = 60;
/** Of five people four exist. */
const isKnown = (localPart: string) => /^jane\d*[1-46-9]$/.test(localPart);
const people = Array.from({ length: COUNT }, (_, n) => `jane${n}`);
const ghosts = people.map((name) => `ghost-${name}`);
const { rcpt, ...base } = mailboxes(...people.filter(isKnown));
const UNKNOWN_USER = '550 5.1.1 User unknown';

let server: SmtpServer;
let pool: SmtpSessionPool;

afterEach(async () => {
  await pool.close();
  await server.stop();
});

async function given(more: Partial<SmtpBehaviour>, maxConnections = 2): Promise<void> {
  server = await SmtpServer.start({ behaviour: { ...base, rcpt, ...more } });
  pool = new SmtpSessionPool(
    poolOptions(server.port, clock, { commandTimeoutMs: 1_000, maxConnections, idleMs: 500 }),
  );
}

function ask(
  localPart: string,
  priority: 'list' | 'single' = 'list',
  signal = new AbortController().signal,
  team = '',
) {
  const recipient = { mailbox: `${localPart}@example.test`, international: false, provider: null };
  const request = { team, priority, recipient, signal } as const;
  return pool.probe('127.0.0.1', 'mx.test', { ...request, greetingDeadlineMs: clock.monotonicMs() + 20_000 });
}

const categories = async (of: readonly string[]) =>
  Promise.all(of.map(async (localPart) => (await ask(localPart)).category));
const right = (of: readonly string[]) =>
  of.map((localPart) => (isKnown(localPart) ? 'accepted' : 'mailbox_not_found'));
const sent = () => server.commandsOf('RCPT').length;

const AFTER = [3, 4, 5, 6, 7, 8, 9, 10];
/** Rejects everybody after so many recipients of a session. */
const defending = (most: number) => ({ rcpt: defence(({ transaction }) => transaction > most) });
const defence = (isLate: (asking: Asking) => boolean) => (asking: Asking) =>
  isLate(asking) ? UNKNOWN_USER : rcpt(asking);

describe('a server that rejects everybody after some recipients of a session', () => {
  it.each(AFTER)('makes nobody unknown, if it does so after %i', async (most) => {
    await given(defending(most));
    expect(await categories(people)).toEqual(right(people));
    // With its limit known, its sessions are shorter.
    expect(sent()).toBeLessThan(1.5 * COUNT);
  });

  it.each(AFTER)('makes nobody unknown in a short list, if it does so after %i', async (most) => {
    await given(defending(most), 1);
    const few = people.slice(1, most + 3);
    expect(await categories(few)).toEqual(right(few));
  });

  it.each(AFTER)('makes nobody unknown after unknown users, if it does so after %i', async (most) => {
    await given(defending(most), 1);
    const mixed = [...ghosts.slice(0, 3), ...people];
    expect(await categories(mixed)).toEqual(right(mixed));
  });

  it.each([3, 4, 5])('makes nobody unknown, if it does so after %i rejections', async (most) => {
    let rejected = 0;
    await given(
      {
        rcpt: (asking) => {
          if (asking.transaction === 1) rejected = 0;
          const reply = defence(() => rejected >= most)(asking);
          if (reply !== '250 2.1.5 Ok') rejected += 1;
          return reply;
        },
      },
      1,
    );
    const mixed = people.flatMap((name, n) => [name, ghosts[n]!]);
    expect(await categories(mixed)).toEqual(right(mixed));
  });

  it('makes nobody unknown whose deadline ends before the session', async () => {
    const isLast = ({ localPart, times }: Asking) => localPart === 'jane9' && times === 1;
    await given(
      { rcpt: (asking) => (isLast(asking) ? SILENCE : defence((n) => n.transaction > 4)(asking)) },
      1,
    );
    const hasty = new AbortController();
    const before = categories(['jane1', 'jane2', 'jane3', 'jane4']);
    const [late, last] = [ask('jane6', 'list', hasty.signal), ask('jane9')];
    await server.until(({ commands }) => commands.some((line) => line.includes('<jane9@')));
    hasty.abort();
    expect(await late).toMatchObject({ end: 'timeout', category: null });
    expect(await last).toMatchObject({ category: 'accepted' });
    expect(await before).toEqual(Array(4).fill('accepted'));
  });

  it('sends no recipient of one team to judge the rejections of another, nor believes them for that', async () => {
    await given({}, 1);
    const of = (team: string, names: readonly string[]) =>
      Promise.all(names.map((name) => ask(name, 'list', undefined, team)));
    await of('first', people.slice(0, 10));
    const before = sent();
    const results = await of('second', ghosts.slice(0, 10));
    expect(results.map(({ category }) => category)).toEqual(Array(10).fill('mailbox_not_found'));
    const commands = server.commandsOf('RCPT').slice(before);
    expect(commands.filter((line) => !line.includes('ghost-'))).toEqual([]);
    // Without an accepted recipient of its own, the team's late rejections are probed again.
    expect(commands.length).toBeGreaterThan(10);
  });

  it('does not make the random address of a domain unknown', async () => {
    await given({ rcpt: ({ transaction }) => (transaction > 3 ? UNKNOWN_USER : '250 2.1.5 Ok') }, 1);
    expect(await categories(people.slice(0, 3))).toEqual(Array(3).fill('accepted'));
    const recipient = { mailbox: 'random@example.test', international: false, provider: null, isAlone: true };
    const { signal } = new AbortController();
    const request = { team: '', priority: 'single', recipient, signal } as const;
    const deadline = { greetingDeadlineMs: clock.monotonicMs() + 20_000 };
    expect(await pool.probe('127.0.0.1', 'mx.test', { ...request, ...deadline })).toMatchObject({
      category: 'accepted',
    });
  });
});

describe('a server that tells recipients apart', () => {
  it('gets few recipients more than there are', async () => {
    await given({}, 1);
    expect(await categories(people)).toEqual(right(people));
    expect(sent()).toBeLessThanOrEqual(COUNT + 8);
  });

  it('gets few recipients more than there are where most are unknown', async () => {
    await given({}, 1);
    const dirty = [...people.slice(0, 10), ...ghosts];
    expect(await categories(dirty)).toEqual(right(dirty));
    expect(sent()).toBeLessThanOrEqual(dirty.length + 8);
  });

  it('gets few recipients more than there are where all are unknown', async () => {
    await given({}, 1);
    expect(await categories(ghosts)).toEqual(right(ghosts));
    expect(sent()).toBeLessThanOrEqual(COUNT + 8);
  });

  it('gets each unknown user of single calls once', async () => {
    await given({});
    for (const ghost of ghosts.slice(0, 8)) await ask(ghost, 'single');
    expect(sent()).toBe(8);
  });
});
