import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Socket } from 'node:net';
import { setImmediate as soon } from 'node:timers/promises';
import { poolOptions } from '../../../../test/support/smtp/pool-options.js';
import { mailboxes } from '../../../../test/support/smtp/smtp-behaviours.js';
import { SmtpServer } from '../../../../test/support/smtp/smtp-server.js';
import type { Requester } from '../../../kernel/concurrency/fair-queue.js';
import type { Slot } from '../../../kernel/concurrency/fair-semaphore.js';
import { ConnectionPermits, type ProviderPermits } from '../../limits/connection-permits.js';
import type { EgressTotal } from '../../limits/egress-total.js';
import { Dialler, DialFailure } from '../../../platform/net/dialler.js';
import { SystemClock } from '../../../platform/time/system-clock.js';
import { SmtpSessionPool, type PoolOptions } from './smtp-session-pool.js';

const clock = new SystemClock();
const IP = '127.0.0.1';
const PROVIDER = 'mx.test';

/** An egress without a free connection until the test says so. */
class FullEgress implements Pick<EgressTotal, 'acquire'> {
  readonly waiting: { requester: Requester; begin: () => void }[] = [];
  inUse = 0;

  acquire(requester: Requester, signal: AbortSignal): Promise<Slot | null> {
    return new Promise((resolve) => {
      const begin = () => {
        this.remove(entry);
        this.inUse += 1;
        resolve({ release: () => (this.inUse -= 1) });
      };
      const entry = { requester, begin };
      this.waiting.push(entry);
      signal.addEventListener('abort', () => {
        this.remove(entry);
        resolve(null);
      });
    });
  }

  get turns(): string[] {
    return this.waiting.map(({ requester }) => `${requester.priority} ${requester.team}`);
  }

  private remove(entry: FullEgress['waiting'][number]): void {
    if (this.waiting.includes(entry)) this.waiting.splice(this.waiting.indexOf(entry), 1);
  }
}

/** The permits that other processes leave, which a test changes. */
class Permits extends ConnectionPermits {
  allowed = Infinity;
  private onChange: () => void = () => undefined;

  permitsFor(_egress: string, provider: string, onChange: () => void): ProviderPermits {
    if (provider === PROVIDER) this.onChange = onChange;
    const allowed = () => (provider === PROVIDER ? this.allowed : Infinity);
    return {
      get allowed() {
        return allowed();
      },
      others: 0,
      othersHeld: 0,
      processes: 2,
      total: Infinity,
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
  (pool = new SmtpSessionPool(poolOptions(server.port, clock, { egressTotal: egress, ...options })));
const ask = (team: string, priority: 'single' | 'list', signal = new AbortController().signal) => {
  const recipient = { mailbox: 'jane@example.test', international: false, provider: null };
  return pool.probe(IP, PROVIDER, {
    ...{ team, priority, recipient, signal },
    greetingDeadlineMs: clock.monotonicMs() + 20_000,
  });
};

/** A dialler that always fails so. */
class Failing extends Dialler {
  constructor(private readonly error: Error) {
    super();
  }

  override dial(): Promise<Socket> {
    return Promise.reject(this.error);
  }
}

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

describe('a connection of the egress', () => {
  it('is given back when the session is closed', async () => {
    given();
    const row = ask('a', 'list');
    await soon();
    egress.waiting[0]!.begin();
    await row;
    expect(egress.inUse).toBe(1);
    await pool.close();
    expect(egress.inUse).toBe(0);
  });

  it('is given back when the server cannot be reached', async () => {
    given({ dialler: new Failing(new DialFailure('target', 'refused')) });
    const row = ask('a', 'list');
    await soon();
    egress.waiting[0]!.begin();
    expect((await row).end).toBe('no_connect');
    while (egress.inUse > 0) await soon();
  });

  it('is given back when its request has ended before', async () => {
    given();
    const abort = new AbortController();
    const row = ask('a', 'list', abort.signal);
    await soon();
    egress.waiting[0]!.begin();
    abort.abort();
    expect((await row).end).toBe('timeout');
    await soon();
    expect([egress.inUse, server.connections]).toEqual([0, 0]);
  });
});

describe('a bug', () => {
  it('ends the requests that wait for the connection, and not the process', async () => {
    given({ dialler: new Failing(new TypeError('a bug')) });
    const requests = Promise.all([ask('a', 'list'), ask('b', 'single')]);
    await soon();
    egress.waiting[0]!.begin();
    await expect(requests).rejects.toThrow('a bug');
  });
});
