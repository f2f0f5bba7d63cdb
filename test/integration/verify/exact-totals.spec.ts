import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Providers } from '../../../src/engine/providers/session-limits.js';
import type { PermitStore, PermitTimes } from '../../../src/engine/limits/permit-store.js';
import {
  CountingServer,
  type CountedSessions,
  type SessionManner,
} from '../../support/smtp/counting-server.js';
import { SharedDatabase } from '../../support/smtp/shared-database.js';
import { SmtpProcess } from '../../support/smtp/smtp-process.js';

const HOSTS = ['127.0.6.1', '127.0.6.2'] as const;
/** So that an expiry takes a second. */
const BRIEF: PermitTimes = { ttlMs: 1_200, renewalMs: 300, turnMs: 600, closingMs: 300 };
const ONE_SESSION = new Providers({
  connectionsPerHost: 4,
  registrableOf: (host) => host,
  changes: new Map([['test', { mx: ['mx.test'], connections: 1 }]]),
});

describe('a provider that allows one session', () => {
  let counted: CountedSessions;
  let port = 0;
  const servers: CountingServer[] = [];
  const processes: SmtpProcess[] = [];

  beforeEach(() => {
    counted = { open: 0, most: 0, all: 0 };
  });
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((process) => process.close()));
    for (const server of servers.splice(0)) server.stop();
  });

  async function given(mannerOf: (session: number) => Partial<SessionManner>) {
    port = 0;
    for (const host of HOSTS) {
      const server = await CountingServer.start(host, port, counted, mannerOf);
      servers.push(server);
      ({ port } = server);
    }
  }
  function aProcess(name: string, store: PermitStore | null = null): SmtpProcess {
    const options = { name, port, store, times: BRIEF, commandTimeoutMs: 100, idleMs: 20 };
    const process = new SmtpProcess({ ...options, providers: ONE_SESSION });
    processes.push(process);
    return process;
  }

  it.each<[string, Partial<SessionManner>, string]>([
    ['is busy when the client ends', { busyMs: 400 }, 'replied'],
    ['refuses and does not close', { banner: '554 5.7.1 no', busyMs: 400, busyFrom: 'banner' }, 'replied'],
    ['says nothing', { banner: '', busyMs: 700, busyFrom: 'banner' }, 'timeout'],
    ['does not reply to a recipient', { toRecipient: '', busyMs: 400 }, 'timeout'],
  ])('has one also where a server %s', async (_, manner, end) => {
    await given((session) => (session === 1 ? manner : {}));
    const process = aProcess('a');
    const results = await Promise.all([process.ask('jane', HOSTS[0]), process.ask('joe', HOSTS[1])]);
    expect(results.map((result) => result.end)).toEqual([end, 'replied']);
    expect(counted).toMatchObject({ all: 2, most: 1 });
  });

  describe('with two processes', () => {
    const stores = new SharedDatabase();
    beforeEach(() => stores.start());
    afterEach(() => stores.drop());

    it('has one also after a process could not renew its permit in the middle of a command', async () => {
      await given((session) => (session === 1 ? { toRecipient: '' } : {}));
      const store = await stores.connect(BRIEF);
      const end = new AbortController();
      const hanging = once(end.signal, 'abort').then(() => Promise.reject(new Error('no longer')));
      hanging.catch(() => undefined);
      let synced = 0;
      const firstOnly: PermitStore = {
        sync: (...args) => (synced++ === 0 ? store.sync(...args) : hanging),
        listUsage: () => store.listUsage(),
        deleteExpired: () => store.deleteExpired(),
      };
      const options = { name: 'a', port, times: BRIEF, commandTimeoutMs: 60_000, providers: ONE_SESSION };
      const first = new SmtpProcess({ ...options, store: firstOnly });
      processes.push(first);
      void first.ask('jane', HOSTS[0]);
      while (counted.open === 0) await pause(5);
      const second = aProcess('b', await stores.connect(BRIEF));
      expect(await second.ask('joe', HOSTS[1])).toMatchObject({ end: 'replied' });
      expect(counted).toMatchObject({ all: 2, most: 1 });
      end.abort();
    });

    it('has none for another process while one that ends has a session', async () => {
      await given(() => ({ toRecipient: '' }));
      const store = await stores.connect(BRIEF);
      const first = new SmtpProcess({
        name: 'a',
        port,
        store,
        times: BRIEF,
        commandTimeoutMs: 60_000,
        providers: ONE_SESSION,
      });
      void first.ask('jane', HOSTS[0]);
      while (counted.open === 0) await pause(5);
      await first.close();
      expect(await store.listUsage()).toMatchObject([{ provider: 'test', used: 1 }]);
    });
  });
});
