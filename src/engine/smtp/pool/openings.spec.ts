import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Socket } from 'node:net';
import { setImmediate as soon } from 'node:timers/promises';
import { poolOptions } from '../../../../test/support/smtp/pool-options.js';
import { mailboxes } from '../../../../test/support/smtp/smtp-behaviours.js';
import { SmtpServer } from '../../../../test/support/smtp/smtp-server.js';
import { ConnectionPermits, type ServerPermits } from '../../limits/connection-permits.js';
import { Dialler, DialFailure, DirectDialler, type DialRequester } from '../../../platform/net/dialler.js';
import { SystemClock } from '../../../platform/time/system-clock.js';
import { SmtpSessionPool, type PoolOptions } from './smtp-session-pool.js';

const clock = new SystemClock();
const IP = '127.0.0.1';

/** An egress without a free connection until the test says so. */
class FullEgress extends Dialler {
  readonly waiting: { requester: DialRequester; begin: () => void }[] = [];

  override async dial(
    ip: string,
    port: number,
    timeoutMs: number,
    signal: AbortSignal,
    requester: DialRequester = { team: '', priority: 'list' },
  ): Promise<Socket> {
    requester.onWait?.(true);
    await new Promise<void>((resolve, reject) => {
      const dial = { requester, begin: resolve };
      this.waiting.push(dial);
      signal.addEventListener('abort', () => {
        this.waiting.splice(this.waiting.indexOf(dial), 1);
        reject(new DialFailure('undecided', 'the caller aborted'));
      });
    });
    requester.onWait?.(false);
    return new DirectDialler().dial(ip, port, timeoutMs, signal);
  }

  get turns(): string[] {
    return this.waiting.map(({ requester }) => `${requester.priority} ${requester.team}`);
  }
}

/** The permits that other processes leave, which a test changes. */
class Permits extends ConnectionPermits {
  allowed = Infinity;
  private onChange: () => void = () => undefined;

  permitsFor(_egress: string, server: string, onChange: () => void): ServerPermits {
    if (server === IP) this.onChange = onChange;
    const allowed = () => (server === IP ? this.allowed : Infinity);
    return {
      get allowed() {
        return allowed();
      },
      others: 0,
      processes: 2,
      update: () => undefined,
      onOpening: () => undefined,
    };
  }

  limitTo(allowed: number): void {
    this.allowed = allowed;
    this.onChange();
  }
}

let server: SmtpServer;
let pool: SmtpSessionPool;
let egress: FullEgress;
beforeEach(async () => {
  server = await SmtpServer.start({ behaviour: mailboxes('jane') });
  egress = new FullEgress();
});
afterEach(async () => {
  await pool.close();
  await server.stop();
});

const given = (options: Partial<PoolOptions> = {}) =>
  (pool = new SmtpSessionPool(poolOptions(server.port, clock, { dialler: egress, ...options })));
const ask = (team: string, priority: 'single' | 'list') => {
  const recipient = { mailbox: 'jane@example.test', international: false, provider: null };
  const { signal } = new AbortController();
  return pool.probe(IP, 'mx.test', {
    ...{ team, priority, recipient, signal },
    greetingDeadlineMs: clock.monotonicMs() + 20_000,
  });
};

describe('a connection that waits for the egress', () => {
  it('is in the turn of the request that is next', async () => {
    given();
    const row = ask('a', 'list');
    await soon();
    expect(egress.turns).toEqual(['list a']);
    egress.waiting[0]!.begin();
    expect((await row).category).toBe('accepted');
  });

  it('gives way to a single call at the same server, which gets its session first', async () => {
    given();
    const row = ask('a', 'list');
    await soon();
    const single = ask('b', 'single');
    await soon();
    expect(egress.turns).toEqual(['single b']);
    egress.waiting[0]!.begin();
    expect((await single).category).toBe('accepted');
    expect((await row).category).toBe('accepted');
    expect(server.connections).toBe(1);
  });

  it('is given up when another process gets its share of the server, and opened when it has one again', async () => {
    const permits = new Permits();
    given({ permits });
    const row = ask('a', 'list');
    await soon();
    permits.limitTo(0);
    await soon();
    expect(egress.turns).toEqual([]);
    permits.limitTo(1);
    await soon();
    expect(egress.turns).toEqual(['list a']);
    egress.waiting[0]!.begin();
    expect((await row).category).toBe('accepted');
  });
});

describe('a bug', () => {
  it('ends the requests that wait for the connection, and not the process', async () => {
    class Broken extends Dialler {
      override dial(): Promise<Socket> {
        return Promise.reject(new TypeError('a bug'));
      }
    }
    given({ dialler: new Broken() });
    await expect(Promise.all([ask('a', 'list'), ask('b', 'single')])).rejects.toThrow('a bug');
  });
});
