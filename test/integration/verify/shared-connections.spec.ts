import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PERMIT_TIMES, type PermitTimes } from '../../../src/engine/limits/permit-store.js';
import { AdjustableClock } from '../../support/time/adjustable-clock.js';
import { SharedDatabase } from '../../support/smtp/shared-database.js';
import { mailboxes, type SmtpBehaviour } from '../../support/smtp/smtp-behaviours.js';
import { SmtpProcess } from '../../support/smtp/smtp-process.js';
import { SmtpServer } from '../../support/smtp/smtp-server.js';
import { WITH_TYPESCRIPT } from '../../support/processes/with-typescript.js';

const LIMIT = 4;
const NAMES = ['a', 'b', 'c', 'd'];
/** So that an expiry takes a second. */
const BRIEF: PermitTimes = { ttlMs: 1_200, renewalMs: 300, turnMs: 600, closingMs: 300 };

/** Every second mailbox exists; each reply takes a while, so that processes meet. */
function slowly(maxConnections: number, afterMs = 5): SmtpBehaviour {
  const { rcpt, ...rest } = mailboxes(...Array.from({ length: 1_000 }, (_, n) => `jane${n}`));
  return { ...rest, maxConnections, rcpt: (asking) => ({ afterMs, then: rcpt(asking) }) };
}

describe('connections of several processes', () => {
  let stores: SharedDatabase;
  let server: SmtpServer;
  let processes: SmtpProcess[] = [];

  beforeEach(async () => {
    stores = new SharedDatabase();
    await stores.start();
  });
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((process) => process.close()));
    await server.stop();
    await stores.drop();
  });

  async function given(
    behaviour: SmtpBehaviour,
    count: number,
    times: PermitTimes = PERMIT_TIMES,
    { idleMs, clock }: { idleMs?: number; clock?: AdjustableClock } = {},
  ) {
    server = await SmtpServer.start({ behaviour });
    const { port } = server;
    processes = await Promise.all(
      NAMES.slice(0, count).map(
        async (name) =>
          new SmtpProcess({ name, port, times, idleMs, clock, store: await stores.connect(times) }),
      ),
    );
    return processes;
  }

  it.each([1, 2, 4])(
    'are never more than the limit with %i of them, and every result is right',
    async (count) => {
      await given(slowly(LIMIT), count);
      const wrong = await Promise.all(processes.map((process) => process.askMany(160 / count)));
      expect(wrong.reduce((sum, n) => sum + n)).toBe(0);
      expect(server.maxConcurrent).toBe(LIMIT);
      // At the end of its first sessions a process sends one recipient again, to see that it is still accepted.
      const again = server.commandsOf('RCPT').length - 160;
      expect(again).toBeLessThanOrEqual(2 * LIMIT);
    },
  );

  it('find a limit below the configured one together', async () => {
    await given(slowly(2), 3);
    const wrong = await Promise.all(processes.map((process) => process.askMany(30)));
    expect(wrong).toEqual([0, 0, 0]);
  });

  it('are divided: a process that comes later gets its share while another has work for all', async () => {
    const [first, second] = await given(slowly(LIMIT, 10), 2);
    let isServed = false;
    const working = async () => {
      let wrong = 0;
      do wrong += await first!.askMany(100);
      while (!isServed);
      return wrong;
    };
    // While one ends and begins again, the other still has work for all connections.
    const all = Promise.all([working(), working()]);
    await server.until(({ openConnections }) => openConnections === LIMIT);
    expect(await second!.askMany(20)).toBe(0);
    isServed = true;
    expect(await all).toEqual([0, 0]);
    expect(server.maxConcurrent).toBe(LIMIT);
  });

  it('are taken over within the time to live when the process that has all of them is killed', async () => {
    await given(slowly(LIMIT, 10), 1, BRIEF);
    const order = JSON.stringify({ url: stores.url, port: server.port, times: BRIEF });
    const script = join(import.meta.dirname, '../../support/smtp/permit-holder.main.ts');
    const holder = spawn(process.execPath, [...WITH_TYPESCRIPT, script, order], {
      stdio: ['pipe', 'inherit', 'inherit'],
    });
    await server.until(({ openConnections }) => openConnections === LIMIT);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const before = stores.requests;
    const wrong = processes[0]!.askMany(20);
    await server.until(({ connections }) => connections > LIMIT);
    // Within a time to live: four renewals, and requests after 0, 250, 750 and 1,750 ms.
    expect(stores.requests - before).toBeLessThanOrEqual(9);
    expect(await wrong).toBe(0);
    expect(server.maxConcurrent).toBe(LIMIT);
  }, 60_000);

  it('end before the permits do while the store is lost, and continue when it is available', async () => {
    await given(slowly(LIMIT, 30), 2, BRIEF);
    const work = () => Promise.all(processes.map((process) => process.askMany(30)));
    const before = Promise.all(processes.map((process) => process.askMany(100)));
    await server.until(({ openConnections }) => openConnections === LIMIT);
    await stores.lose();
    await server.until(({ openConnections }) => openConnections === 0);
    const { connections } = server;
    const during = work();
    await new Promise((resolve) => setImmediate(resolve));
    expect(server.connections).toBe(connections);
    await stores.resume();
    expect(await before).toEqual([0, 0]);
    expect(await during).toEqual([0, 0]);
    expect(processes.map(({ changes }) => changes)).toEqual(Array(2).fill(['failed', 'answers']));
    expect(server.maxConcurrent).toBe(LIMIT);
  });

  it('do not depend on the clocks of the processes', async () => {
    server = await SmtpServer.start({ behaviour: slowly(LIMIT) });
    const { port } = server;
    processes = await Promise.all(
      ['2001-01-01T00:00:00Z', '2099-01-01T00:00:00Z'].map(async (time) => {
        const clock = new AdjustableClock();
        clock.advance(time.startsWith('2099') ? 90_000_000 : 0);
        clock.standAt(time);
        return new SmtpProcess({ name: time, port, clock, store: await stores.connect() });
      }),
    );
    expect(await Promise.all(processes.map((process) => process.askMany(80)))).toEqual([0, 0]);
    expect(server.maxConcurrent).toBe(LIMIT);
  });

  it('to another server are granted at once after the clock of the process was advanced', async () => {
    server = await SmtpServer.start({ behaviour: slowly(LIMIT) });
    const { port } = server;
    const other = await SmtpServer.start({ behaviour: slowly(LIMIT), host: '127.0.0.2', port });
    const clock = new AdjustableClock();
    const only = new SmtpProcess({ name: 'a', port, clock, store: await stores.connect() });
    processes = [only];
    expect(await only.askMany(1)).toBe(0);
    clock.advance(60_000);
    const before = stores.requests;
    expect(await only.askMany(1, '127.0.0.2')).toBe(0);
    expect(stores.requests - before).toBe(1);
    await other.stop();
  });

  it('that are idle are released', async () => {
    const [first, second] = await given(slowly(LIMIT), 2, BRIEF, { idleMs: 600_000 });
    await first!.askMany(40);
    expect(server.openConnections).toBe(LIMIT);
    // Another process needs them before the sessions have been idle for long.
    expect(await second!.askMany(40)).toBe(0);
    expect(server.maxConcurrent).toBe(LIMIT);
  });

  it('cost no more round trips than one for each connection and one for each renewal period', async () => {
    const [only] = await given(slowly(LIMIT), 1);
    const began = performance.now();
    const before = stores.requests;
    for (let round = 0; round < 4; round++) await only!.askMany(60);
    await only!.close();
    const trips = stores.requests - before;
    const periods = Math.ceil((performance.now() - began) / PERMIT_TIMES.renewalMs);
    expect(server.connections).toBeGreaterThan(10);
    expect(trips).toBeLessThanOrEqual(server.connections + periods);
    expect(trips).toBeLessThan(10 + periods);
  });
});
