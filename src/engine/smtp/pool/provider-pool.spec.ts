import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { poolOptions } from '../../../../test/support/smtp/pool-options.js';
import { catchAll, type SmtpBehaviour } from '../../../../test/support/smtp/smtp-behaviours.js';
import { SmtpServer } from '../../../../test/support/smtp/smtp-server.js';
import type { Priority } from '../../../kernel/concurrency/fair-queue.js';
import { SystemClock } from '../../../platform/time/system-clock.js';
import { Providers } from '../../providers/session-limits.js';
import { ConnectionPermits, type ConnectionUse } from '../../limits/connection-permits.js';
import type { BlockedRequests } from './provider-pool.js';
import { SmtpSessionPool } from './smtp-session-pool.js';

const HOSTS = Array.from({ length: 12 }, (_, n) => `127.0.5.${n + 1}`);
const clock = new SystemClock();

/** Each reply takes a while, so that requests wait for the only session. */
const slowly = (): SmtpBehaviour => ({ ...catchAll(), rcpt: () => ({ afterMs: 20, then: '250 2.1.5 Ok' }) });

describe('the addresses of a provider that allows one session', () => {
  let servers: SmtpServer[];
  let pool: SmtpSessionPool;
  let ended: string[];
  let blocked: BlockedRequests[];

  beforeEach(async () => {
    const first = await SmtpServer.start({ behaviour: slowly(), host: HOSTS[0] });
    const { port } = first;
    const start = (host: string) => SmtpServer.start({ behaviour: slowly(), host, port });
    servers = [first, ...(await Promise.all(HOSTS.slice(1).map(start)))];
    const changes = new Map([['one', { connections: 1, mx: ['mx.test'] }]]);
    const providers = new Providers({ connectionsPerHost: 4, registrableOf: (host) => host, changes });
    blocked = [];
    const onBlocked = (requests: BlockedRequests) => void blocked.push(requests);
    pool = new SmtpSessionPool(poolOptions(port, clock, { providers, onBlocked }));
    ended = [];
  });
  afterEach(async () => {
    await pool.close();
    await Promise.all(servers.map((server) => server.stop()));
  });

  async function ask(n: number, team: string, priority: Priority): Promise<void> {
    const recipient = { mailbox: 'jane@example.test', international: false, provider: null };
    const { signal } = new AbortController();
    const request = { team, priority, recipient, signal };
    await pool.probe(HOSTS[n]!, 'mx.test', { ...request, greetingDeadlineMs: clock.monotonicMs() + 20_000 });
    ended.push(`${priority} ${team}`);
  }
  const list = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => ask(from + n, 'a', 'list'));

  it('serve a single call before the rows that wait at other addresses', async () => {
    const rows = list(0, 11);
    await servers[0]!.until(({ openConnections }) => openConnections === 1);
    await Promise.all([...rows, ask(11, 'b', 'single')]);
    expect(ended.indexOf('single b')).toBeLessThanOrEqual(2);
  });

  it('are reported with the limit that is the reason, once in a while', async () => {
    await Promise.all(list(0, 11));
    expect(blocked).toMatchObject([
      { egress: 'direct', provider: { name: 'one', isUnknown: false }, limit: 'provider' },
    ]);
    expect(blocked[0]?.waiting).toBeGreaterThan(0);
  });

  it('are waited for because they are being opened where a server greets slowly, which is no limit', async () => {
    const banner = { afterMs: 300, then: '220 slow.test' };
    const slow = await SmtpServer.start({ behaviour: { ...slowly(), banner }, host: '127.0.5.99' });
    const reported: ConnectionUse[] = [];
    const permits = new (class extends ConnectionPermits {
      permitsFor() {
        const update = (use: ConnectionUse) => void reported.push(use);
        return {
          allowed: 4,
          others: 0,
          othersHeld: 0,
          processes: 1,
          total: 4,
          update,
          onOpening: () => undefined,
        };
      }
    })();
    const onBlocked = (requests: BlockedRequests) => void blocked.push(requests);
    const ofSlow = new SmtpSessionPool(poolOptions(slow.port, clock, { permits, onBlocked }));
    const recipient = { mailbox: 'jane@example.test', international: false, provider: null };
    const row = { team: 'a', priority: 'list' as const, recipient, signal: new AbortController().signal };
    const deadline = { greetingDeadlineMs: clock.monotonicMs() + 20_000 };
    await Promise.all([1, 2, 3].map(() => ofSlow.probe('127.0.5.99', 'mx.test', { ...row, ...deadline })));
    await ofSlow.close();
    await slow.stop();
    const waiting = reported.filter(({ queued }) => queued > 0);
    expect(waiting.map(({ blockedBy }) => blockedBy)).toContain('opening');
    expect(waiting.filter(({ blockedBy }) => blockedBy === null)).toEqual([]);
    expect(reported.filter(({ queued, blockedBy }) => queued === 0 && blockedBy !== null)).toEqual([]);
    expect(blocked.map(({ limit }) => limit)).not.toContain('opening');
  });

  it('serve teams in turns, however many addresses one of them waits for', async () => {
    const rows = list(0, 11);
    await servers[0]!.until(({ openConnections }) => openConnections === 1);
    await Promise.all([...rows, ask(11, 'b', 'list')]);
    expect(ended.indexOf('list b')).toBeLessThanOrEqual(3);
  });

  it('serve a row too, while single calls wait at other addresses', async () => {
    const calls = Array.from({ length: 11 }, (_, n) => ask(n, 'a', 'single'));
    await servers[0]!.until(({ openConnections }) => openConnections === 1);
    await Promise.all([...calls, ask(11, 'b', 'list')]);
    expect(ended.indexOf('list b')).toBeLessThanOrEqual(5);
  });
});
