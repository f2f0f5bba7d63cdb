import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StoredSharedState } from '../../../src/engine/limits/adapters/stored-shared-state.js';
import { Providers, type ProviderChange } from '../../../src/engine/providers/session-limits.js';
import { SystemClock } from '../../../src/platform/time/system-clock.js';
import { SharedDatabase } from '../../support/smtp/shared-database.js';
import { mailboxes, type SmtpBehaviour } from '../../support/smtp/smtp-behaviours.js';
import { SmtpProcess } from '../../support/smtp/smtp-process.js';
import { SmtpServer, type ServerGroup } from '../../support/smtp/smtp-server.js';

const HOSTS = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];

/** Every second mailbox exists; each reply takes a while, so that sessions meet. */
function slowly(afterMs = 5): SmtpBehaviour {
  const { rcpt, ...rest } = mailboxes(...Array.from({ length: 1_000 }, (_, n) => `jane${n}`));
  return { ...rest, rcpt: (asking) => ({ afterMs, then: rcpt(asking) }) };
}

/** All hosts are `mx.test`, of the provider `test`. */
function providersWith(change: ProviderChange): Providers {
  const changes = new Map([['test', { mx: ['mx.test'], ...change }]]);
  return new Providers({ connectionsPerHost: 4, registrableOf: (host) => host, changes });
}

describe('the servers of one provider', () => {
  let group: ServerGroup;
  let servers: SmtpServer[] = [];
  const processes: SmtpProcess[] = [];
  const stores = new SharedDatabase();
  let hasStores = false;

  beforeEach(() => {
    group = { most: Infinity, open: 0, peak: 0 };
  });
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((process) => process.close()));
    await Promise.all(servers.splice(0).map((server) => server.stop()));
    if (hasStores) await stores.drop();
    hasStores = false;
  });

  async function given(behaviour: SmtpBehaviour, most = Infinity): Promise<number> {
    group.most = most;
    const [first, ...others] = HOSTS;
    const server = await SmtpServer.start({ behaviour, host: first, group });
    const { port } = server;
    const start = (host: string) => SmtpServer.start({ behaviour, host, port, group });
    servers = [server, ...(await Promise.all(others.map(start)))];
    return port;
  }

  /** One process without a store. */
  function alone(port: number, providers?: Providers, clock = new SystemClock()): SmtpProcess {
    const process = new SmtpProcess({ name: 'a', port, store: null, clock, ...(providers && { providers }) });
    processes.push(process);
    return process;
  }

  const askAll = async (process: SmtpProcess, count: number) =>
    (await Promise.all(HOSTS.map((host) => process.askMany(count, host)))).reduce((sum, n) => sum + n);

  it('get no more sessions together than it allows, and every result is right', async () => {
    const port = await given(slowly(), 5);
    expect(await askAll(alone(port, providersWith({ connections: 5 })), 60)).toBe(0);
    expect(group.peak).toBe(5);
    expect(servers.reduce((sum, { connections }) => sum + connections, 0)).toBeLessThan(40);
  });

  it('give way to each other: an idle session of one is closed when another needs it', async () => {
    const port = await given(slowly(), 1);
    const process = alone(port, providersWith({ connections: 1 }));
    for (const host of [...HOSTS, ...HOSTS]) expect(await process.askMany(2, host)).toBe(0);
    expect(group.peak).toBe(1);
  });

  it('serve a single call at one address while a list has all sessions at another', async () => {
    const port = await given(slowly(10));
    const process = alone(port, providersWith({ connections: 2 }));
    let isDone = false;
    const list = process.askMany(150, HOSTS[0]).finally(() => (isDone = true));
    await servers[0]!.until(({ openConnections }) => openConnections === 2);
    expect(await process.ask('jane1', HOSTS[1], 'single')).toMatchObject({ category: 'accepted' });
    expect(isDone).toBe(false);
    expect(await list).toBe(0);
    expect(group.peak).toBe(2);
  });

  it('get twice the sessions of an address if it is unknown, and its limit is found', async () => {
    const port = await given(slowly(), 5);
    expect(await askAll(alone(port), 60)).toBe(0);
    expect(group.peak).toBeGreaterThanOrEqual(5);
    expect(group.peak).toBeLessThanOrEqual(6);
  });

  describe('with several processes', () => {
    async function processesWith(port: number, count: number, providers?: Providers) {
      await stores.start();
      hasStores = true;
      const clock = new SystemClock();
      for (let n = 0; n < count; n++) {
        const sharedState = new StoredSharedState({
          store: await stores.connectState(),
          process: `p${n}`,
          clock,
        });
        sharedState.start();
        processes.push(
          new SmtpProcess({
            name: `p${n}`,
            port,
            store: await stores.connect(),
            sharedState,
            ...(providers && { providers }),
          }),
        );
      }
      return processes;
    }

    it.each([2, 4])('get no more than it allows with %i of them', async (count) => {
      const port = await given(slowly(), 5);
      const all = await processesWith(port, count, providersWith({ connections: 5 }));
      const wrong = await Promise.all(all.map((process) => askAll(process, 100 / count)));
      expect(wrong.reduce((sum, n) => sum + n)).toBe(0);
      expect(group.peak).toBe(5);
    });

    it.each([2, 4])(
      'are learned with %i of them if they are unknown, with two above the limit at most',
      async (count) => {
        const port = await given(slowly(), 5);
        const all = await processesWith(port, count);
        const wrong = await Promise.all(all.map((process) => askAll(process, 200 / count)));
        expect(wrong.reduce((sum, n) => sum + n)).toBe(0);
        expect(group.peak).toBeLessThanOrEqual(7);
        expect(group.peak).toBeGreaterThanOrEqual(4);
      },
    );

    it('are reported with the limit in force, what is used and what waits', async () => {
      const port = await given(slowly(20));
      const all = await processesWith(port, 2, providersWith({ connections: 3 }));
      const work = Promise.all(all.map((process) => askAll(process, 10)));
      const store = await stores.connect();
      await servers[0]!.until(() => group.open === 3);
      const usage = await store.listUsage();
      expect(usage).toMatchObject([{ egress: 'direct', provider: 'test', limit: 3 }]);
      expect(usage[0]?.used).toBeLessThanOrEqual(3);
      expect(usage[0]?.waiting).toBeGreaterThan(0);
      expect(usage[0]?.blockedBy).toBe('processes');
      await work;
    });
  });
});
