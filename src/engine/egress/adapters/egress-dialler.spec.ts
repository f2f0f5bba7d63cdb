import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { Dialler, DialFailure } from '../../../platform/net/dialler.js';
import { FakeClock } from '../../../../test/support/time/fake-clock.js';
import { MAX_CONNECTIONS } from './smtp-egresses.js';
import { EgressDialler } from './egress-dialler.js';
import { EgressOutage } from '../egress-outage.js';

const NEVER = new AbortController().signal;

class FakeDialler extends Dialler {
  readonly sockets: Socket[] = [];
  fails = false;

  override dial(): Promise<Socket> {
    const socket = new Socket();
    this.sockets.push(socket);
    return this.fails ? Promise.reject(new DialFailure('target', 'refused')) : Promise.resolve(socket);
  }
}

const diallerOver = (dialler: Dialler) =>
  new EgressDialler(dialler, new EgressOutage(), new FakeClock(), MAX_CONNECTIONS);

describe('EgressDialler', () => {
  it('opens 180 connections, and another one for each that is closed', async () => {
    const fake = new FakeDialler();
    const dialler = diallerOver(fake);
    const dial = () => dialler.dial('192.0.2.1', 25, 1, NEVER);
    const [first] = await Promise.all(Array.from({ length: 180 }, dial));
    const next = dial();
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
    await Promise.all(Array.from({ length: 180 }, () => dialler.dial('192.0.2.1', 25, 1, NEVER)));
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
});
