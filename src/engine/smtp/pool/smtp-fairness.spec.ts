import { afterEach, describe, expect, it } from '@jest/globals';
import { setMaxListeners } from 'node:events';
import { poolOptions } from '../../../../test/support/smtp/pool-options.js';
import { catchAll, recipients } from '../../../../test/support/smtp/smtp-behaviours.js';
import { ask } from '../../../../test/support/smtp/smtp-probe.js';
import { SmtpServer } from '../../../../test/support/smtp/smtp-server.js';
import { SystemClock } from '../../../platform/time/system-clock.js';
import type { Requester } from '../../../kernel/concurrency/fair-queue.js';
import type { HostResolver } from '../../dns/adapters/host-resolver.js';
import { SmtpSessionPool } from './smtp-session-pool.js';

const IP = '127.0.0.1';
const clock = new SystemClock();

let server: SmtpServer;
afterEach(() => server.stop());

/** Sends as many requests as there are requesters; returns the order of their results. */
async function orderOfAnswers(many: Requester, count: number, late: Requester): Promise<('many' | 'late')[]> {
  server = await SmtpServer.start({ behaviour: recipients({}, { afterMs: 5, then: '250 2.1.5 Ok' }) });
  const pool = new SmtpSessionPool(poolOptions(server.port, clock));
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  const order: ('many' | 'late')[] = [];
  const put = async (who: 'many' | 'late', requester: Requester, n: number) => {
    const recipient = { mailbox: `${who}${n}@example.test`, international: false, provider: null };
    const greetedByMs = clock.monotonicMs() + 20_000;
    await pool.probe(IP, 'mx.test', { ...requester, recipient, signal, greetingDeadlineMs: greetedByMs });
    order.push(who);
  };
  const all = Array.from({ length: count }, (_, n) => put('many', many, n));
  await all[0];
  await put('late', late, 0);
  await Promise.all(all);
  await pool.close();
  return order;
}

const call = (team: string): Requester => ({ team, priority: 'single' });
const row = (team: string): Requester => ({ team, priority: 'list' });

describe('many requests to one server', () => {
  it.each([
    ['one call does not wait for a hundred calls of another team', call('a'), call('b')],
    ['one call does not wait for a hundred rows of another team', row('a'), call('b')],
    ['one call does not wait for a hundred rows of its own team', row('a'), call('a')],
    ['one row does not wait for a hundred rows of another team', row('a'), row('b')],
    ['one row does not wait for a hundred calls', call('a'), row('b')],
  ])('are divided: %s', async (_, many, late) => {
    const order = await orderOfAnswers(many, 100, late);
    expect(order.indexOf('late')).toBeLessThan(20);
  });
});

describe('the addresses of a mail host', () => {
  it('are resolved on behalf of the requester of the probe', async () => {
    server = await SmtpServer.start({ behaviour: catchAll() });
    const named: Requester[] = [];
    const hosts: HostResolver = {
      async addresses(_host, _signal, { team, priority }) {
        named.push({ team, priority });
        return { kind: 'addresses', addresses: [IP] };
      },
    };
    await ask(server.port, { hosts: { 'mx.test': [IP] }, requester: row('team_a') }, { hosts });
    expect(named).toEqual([row('team_a')]);
  });
});
