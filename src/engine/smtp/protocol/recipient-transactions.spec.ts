import { afterEach, describe, expect, it } from '@jest/globals';
import { poolOptions } from '../../../../test/support/smtp/pool-options.js';
import { mailboxes, type Asking, type SmtpBehaviour } from '../../../../test/support/smtp/smtp-behaviours.js';
import { SmtpServer } from '../../../../test/support/smtp/smtp-server.js';
import { SystemClock } from '../../../platform/time/system-clock.js';
import { SmtpTranscript } from '../smtp-transcript.js';
import { SmtpSessionPool } from '../pool/smtp-session-pool.js';

const clock = new SystemClock();
const EXTENSIONS = ['SIZE 10240000', 'ENHANCEDSTATUSCODES'];
const KNOWN = ['jane1', 'jane3', 'jane5', 'jane7'];
const { rcpt, ...base } = mailboxes(...KNOWN);

let server: SmtpServer;
let pool: SmtpSessionPool;

afterEach(async () => {
  await pool.close();
  await server.stop();
});

async function given(reply: (asking: Asking) => ReturnType<SmtpBehaviour['rcpt']> = rcpt) {
  server = await SmtpServer.start({ behaviour: { ...base, extensions: EXTENSIONS, rcpt: reply } });
  pool = new SmtpSessionPool(poolOptions(server.port, clock, { commandTimeoutMs: 1_000, maxConnections: 1 }));
}

function ask(mailbox: string, more: { isAlone?: boolean; transcript?: SmtpTranscript } = {}) {
  const { signal } = new AbortController();
  const recipient = { mailbox, international: false, provider: null, ...more };
  const greetingDeadlineMs = clock.monotonicMs() + 20_000;
  return pool.probe('127.0.0.1', 'mx.test', {
    team: '',
    priority: 'list',
    recipient,
    signal,
    greetingDeadlineMs,
  });
}

const PEOPLE = Array.from({ length: 8 }, (_, n) => `jane${n}@example.test`);
const askAll = () => Promise.all(PEOPLE.map(async (mailbox) => (await ask(mailbox)).category));
const RIGHT = PEOPLE.map((_, n) => (KNOWN.includes(`jane${n}`) ? 'accepted' : 'mailbox_not_found'));

describe('recipients of a server without PIPELINING', () => {
  it('have one transaction together, and one round trip each', async () => {
    await given();
    expect(await askAll()).toEqual(RIGHT);
    // The first one that was rejected among others is probed again.
    expect(server.commandsOf('RCPT')).toHaveLength(PEOPLE.length + 1);
    expect(server.commandsOf('MAIL')).toHaveLength(2);
  });

  it.each<[what: string, reply: (asking: Asking) => string | null]>([
    ['more than three in a transaction', ({ nth }) => (nth > 3 ? '452 4.5.3 Too many recipients' : null)],
    ['more than one in a transaction', ({ nth }) => (nth > 1 ? '451 4.3.0 One recipient at a time' : null)],
    ['all after the first as unknown users', ({ nth }) => (nth > 1 ? '550 5.1.1 User unknown' : null)],
    ['all after the first by a policy', ({ nth }) => (nth > 1 ? '550 5.7.1 One recipient only' : null)],
  ])('get the verdict that they have alone if the server rejects %s', async (_what, reply) => {
    await given((asking) => reply(asking) ?? rcpt(asking));
    expect(await askAll()).toEqual(RIGHT);
  });

  it('get the verdict that they have alone if a rejection ends the transaction', async () => {
    const ended = new Set<number>();
    await given((asking) => {
      if (ended.has(asking.transaction)) return '503 5.5.1 Need MAIL';
      if (!KNOWN.includes(asking.localPart)) ended.add(asking.transaction);
      return rcpt(asking);
    });
    expect(await askAll()).toEqual(RIGHT);
  });

  it('are told apart by domain, and a random address is alone', async () => {
    await given();
    await ask('jane1@example.test');
    await ask('jane1@other.test');
    await ask('jane3@other.test', { isAlone: true });
    await ask('jane5@other.test');
    expect(server.commandsOf('MAIL')).toHaveLength(4);
  });

  it('have the whole transaction in their dialogue, and no other recipient', async () => {
    await given();
    await ask('jane1@example.test');
    const transcript = new SmtpTranscript();
    await ask('jane3@example.test', { transcript });
    const sent = transcript.lines.filter(({ source }) => source === 'client').map(({ text }) => text);
    expect(sent).toEqual([
      'EHLO verify.rcpt.test',
      'MAIL FROM:<verify@rcpt.test>',
      'RCPT TO:<jane3@example.test>',
    ]);
    expect(server.commandsOf('MAIL')).toHaveLength(1);
  });
});
