import { afterEach, describe, expect, it } from '@jest/globals';
import { mailboxes, type SmtpBehaviour } from '../../../../test/support/smtp/smtp-behaviours.js';
import { SmtpServer } from '../../../../test/support/smtp/smtp-server.js';
import { DirectDialler } from '../../../platform/net/dialler.js';
import { SystemClock } from '../../../platform/time/system-clock.js';
import { SmtpSessionPool } from './smtp-session-pool.js';

const clock = new SystemClock();
const COUNT = 40;
/** Of five people four exist. */
const isKnown = (localPart: string) => /^jane\d*[1-46-9]$/.test(localPart);
const people = Array.from({ length: COUNT }, (_, n) => `jane${n}`);
const { rcpt, ...base } = mailboxes(...people.filter(isKnown));

let server: SmtpServer;
let pool: SmtpSessionPool;

afterEach(async () => {
  await pool.close();
  await server.stop();
});

async function given(behaviour: SmtpBehaviour['rcpt']): Promise<void> {
  server = await SmtpServer.start({ behaviour: { ...base, rcpt: behaviour } });
  pool = new SmtpSessionPool({
    clock,
    dialler: new DirectDialler(),
    port: server.port,
    heloName: 'verify.rcpt.test',
    mailFrom: 'verify@rcpt.test',
    connectTimeoutMs: 1_000,
    commandTimeoutMs: 1_000,
    maxConnections: 2,
  });
}

function ask(localPart: string) {
  const { signal } = new AbortController();
  const question = { mailbox: `${localPart}@example.test`, international: false, provider: null };
  const request = { owner: '', priority: 'list', question, signal } as const;
  return pool.probe('127.0.0.1', 'mx.test', { ...request, greetingDeadlineMs: clock.monotonicMs() + 20_000 });
}

const categories = async (of: readonly string[]) =>
  Promise.all(of.map(async (localPart) => (await ask(localPart)).category));
const right = (of: readonly string[]) =>
  of.map((localPart) => (isKnown(localPart) ? 'accepted' : 'mailbox_not_found'));

describe('a server that rejects everybody after some recipients of a session', () => {
  it.each([4, 8, 15])('makes nobody unknown, if it does so after %i', async (most) => {
    await given((asking) => (asking.transaction > most ? '550 5.1.1 User unknown' : rcpt(asking)));
    expect(await categories(people)).toEqual(right(people));
  });
});

describe('a server that tells recipients apart', () => {
  it('needs few more sessions for that', async () => {
    await given(rcpt);
    expect(await categories(people)).toEqual(right(people));
    expect(server.connections).toBeLessThanOrEqual(5);
  });

  it('is not asked for each unknown user again where it has only those', async () => {
    const ghosts = people.map((name) => `ghost-${name}`);
    await given(rcpt);
    expect(await categories(ghosts)).toEqual(right(ghosts));
    expect(server.commandsOf('RCPT').length).toBeLessThan(1.5 * COUNT);
  });
});
