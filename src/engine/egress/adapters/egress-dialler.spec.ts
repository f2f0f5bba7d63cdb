import { describe, expect, it } from '@jest/globals';
import { once, setMaxListeners } from 'node:events';
import { Socket } from 'node:net';
import { Dialler, DialFailure, type DialRequester } from '../../../platform/net/dialler.js';
import { FakeClock } from '../../../../test/support/time/fake-clock.js';
import { MAX_CONNECTIONS } from './smtp-egresses.js';
import type { Priority } from '../../../kernel/concurrency/fair-queue.js';
import {
  NO_SHARED_PERMITS,
  type ConnectionUse,
  type ServerPermits,
} from '../../limits/connection-permits.js';
import { EgressDialler, type EgressTotal } from './egress-dialler.js';
import { EgressOutage } from '../egress-outage.js';

const NEVER = new AbortController().signal;
setMaxListeners(0, NEVER);

class FakeDialler extends Dialler {
  readonly sockets: Socket[] = [];
  fails = false;

  override dial(): Promise<Socket> {
    const socket = new Socket();
    this.sockets.push(socket);
    return this.fails ? Promise.reject(new DialFailure('target', 'refused')) : Promise.resolve(socket);
  }
}

const aTotal = (
  permits: ServerPermits = NO_SHARED_PERMITS.permitsFor('', '', () => undefined),
): EgressTotal => ({
  connections: MAX_CONNECTIONS,
  permits: () => permits,
});
const diallerOver = (dialler: Dialler, total: EgressTotal = aTotal()) =>
  new EgressDialler({ dialler, outage: new EgressOutage(), clock: new FakeClock(), total });
const by = (team: string, priority: Priority = 'list'): DialRequester => ({ team, priority });

describe('EgressDialler', () => {
  it('opens 180 connections, and another one for each that is closed', async () => {
    const fake = new FakeDialler();
    const dialler = diallerOver(fake);
    const dial = (n: number) => dialler.dial('192.0.2.1', 25, 1, NEVER, by(`team ${n}`));
    const [first] = await Promise.all(Array.from({ length: 180 }, (_, n) => dial(n)));
    const next = dial(180);
    await new Promise(setImmediate);
    expect(fake.sockets).toHaveLength(180);
    const closed = once(first!, 'close');
    first!.destroy();
    await closed;
    await next;
    expect(fake.sockets).toHaveLength(181);
  });

  it('counts no failed connection, and does not let an aborted call wait', async () => {
    const fake = new FakeDialler();
    const dialler = diallerOver(fake);
    fake.fails = true;
    for (let n = 0; n < 200; n += 1)
      await expect(dialler.dial('192.0.2.1', 25, 1, NEVER)).rejects.toThrow('refused');
    fake.fails = false;
    for (let n = 0; n < 180; n += 1) await dialler.dial('192.0.2.1', 25, 1, NEVER, by(`team ${n}`));
    const caller = new AbortController();
    const waiting = dialler.dial('192.0.2.1', 25, 1, caller.signal);
    caller.abort();
    await waiting;
    // The aborted call has no slot, so the end of its connection does not let another one in.
    fake.sockets.at(-1)!.destroy();
    await once(fake.sockets.at(-1)!, 'close');
    const before = fake.sockets.length;
    const late = dialler.dial('192.0.2.1', 25, 1, NEVER);
    await new Promise(setImmediate);
    expect(fake.sockets).toHaveLength(before);
    fake.sockets.at(-2)!.destroy();
    await late;
  });

  it('lets a single call in at once, and teams in turns, while a list waits for connections', async () => {
    const fake = new FakeDialler();
    const dialler = diallerOver(fake);
    const opened: string[] = [];
    const dial = (name: string, requester: DialRequester) =>
      void dialler.dial('192.0.2.1', 25, 1, NEVER, requester).then(() => opened.push(name));
    for (let n = 0; n < 2_000; n += 1) dial('list', by('a'));
    await new Promise(setImmediate);
    expect(opened).toHaveLength(162);
    dial('other list', by('b'));
    dial('single', by('a', 'single'));
    await new Promise(setImmediate);
    expect(opened.slice(162)).toEqual(['other list', 'single']);
    for (let n = 0; n < 40; n += 1) dial('b', by('b'));
    await new Promise(setImmediate);
    for (const socket of fake.sockets.slice(0, 20)) socket.destroy();
    await new Promise(setImmediate);
    expect(opened.filter((name) => name === 'b').length).toBeGreaterThanOrEqual(8);
  });

  it('has the connections that other processes leave, and asks for some more than it uses', async () => {
    const uses: ConnectionUse[] = [];
    let allowed = 0;
    let onChange = (): void => undefined;
    const permits: ServerPermits = {
      get allowed() {
        return allowed;
      },
      others: 0,
      processes: 2,
      update: (use) => void uses.push(use),
      onOpening: () => undefined,
    };
    const total: EgressTotal = { connections: 180, permits: (call) => ((onChange = call), permits) };
    const fake = new FakeDialler();
    const dialler = diallerOver(fake, total);
    for (let n = 0; n < 300; n += 1) void dialler.dial('192.0.2.1', 25, 1, NEVER, by(`team ${n}`));
    await new Promise(setImmediate);
    expect([fake.sockets.length, uses.at(-1)]).toMatchObject([0, { held: 0, wanted: 180, queued: 300 }]);
    allowed = 90;
    onChange();
    await new Promise(setImmediate);
    expect([fake.sockets.length, uses.at(-1)]).toMatchObject([90, { held: 90, wanted: 180, limit: 180 }]);
    // Another process got its share: no further connection until enough are closed.
    allowed = 60;
    for (const socket of fake.sockets.slice(0, 30)) socket.destroy();
    await new Promise(setImmediate);
    expect([fake.sockets.length, uses.at(-1)]).toMatchObject([90, { held: 60 }]);
  });
});
