import type { Socket } from 'node:dgram';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { getEventListeners } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DnsWorld } from '../../../../test/support/dns/dns-world.js';
import { FakeClock } from '../../../../test/support/time/fake-clock.js';
import { DnsClient } from './dns-client.js';

const TIMEOUT_MS = 4000;
const NEVER = new AbortController().signal;

let world: DnsWorld;
let clock: FakeClock;
beforeAll(async () => {
  world = await DnsWorld.start({
    zones: {
      'slow.test': { mx: [[0, 'mx.test']], behaviour: 'slow', delayMs: 40 },
      'silent.test': { behaviour: 'silent' },
      'fast.test': { mx: [[0, 'mx.test']] },
    },
  });
  subscribe('udp.socket', note);
});
afterAll(async () => {
  unsubscribe('udp.socket', note);
  await world.stop();
});
beforeEach(() => {
  clock = new FakeClock();
  world.questions.length = 0;
});

function aClient(maxInFlight = 100): DnsClient {
  return new DnsClient({ servers: [world.server], timeoutMs: TIMEOUT_MS, clock, maxInFlight });
}

/** Every UDP socket created by the clients. */
const sockets: Socket[] = [];
const note = (message: unknown) => sockets.push((message as { socket: Socket }).socket);

function openSockets(): number {
  return sockets.filter((socket) => {
    try {
      return socket.address();
    } catch {
      return false; // closed
    }
  }).length;
}

describe('concurrent requests for one question', () => {
  it('share one query', async () => {
    const dns = aClient();
    const answers = await Promise.all(Array.from({ length: 50 }, () => dns.mx('slow.test', NEVER)));
    expect(answers.every((answer) => answer.kind === 'records' && !answer.cached)).toBe(true);
    expect(world.questions).toHaveLength(1);
  });

  it('get their answer when one of them aborts', async () => {
    const dns = aClient();
    const hasty = new AbortController();
    const givenUp = dns.mx('slow.test', hasty.signal);
    const waiting = dns.mx('slow.test', NEVER);
    await world.queriesFor('slow.test');
    hasty.abort();
    expect(await givenUp).toEqual({ kind: 'error', ageSeconds: 0, cached: false });
    expect(await waiting).toMatchObject({ kind: 'records' });
    expect(world.questions).toHaveLength(1);
  });

  it('cancel the query when all of them abort, and a later one sends a new one', async () => {
    const dns = aClient();
    const all = new AbortController();
    const answers = [dns.mx('silent.test', all.signal), dns.mx('silent.test', all.signal)];
    await world.queriesFor('silent.test');
    expect(openSockets()).toBe(1);
    all.abort();
    expect(await Promise.all(answers)).toMatchObject([{ kind: 'error' }, { kind: 'error' }]);
    expect(clock.pausing).toBe(0);
    expect(openSockets()).toBe(0);

    const later = new AbortController();
    const anew = dns.mx('silent.test', later.signal);
    await world.queriesFor('silent.test', 2);
    later.abort();
    await anew;
  });

  it('send nothing when they are already aborted', async () => {
    expect(await aClient().mx('fast.test', AbortSignal.abort())).toMatchObject({ kind: 'error' });
    expect(world.questions).toEqual([]);
  });
});

describe('queries in flight', () => {
  it('do not exceed the limit, and the rest is sent as they complete', async () => {
    const dns = aClient(3);
    const names = Array.from({ length: 10 }, (_, i) => `silent-${i}.test`);
    names.forEach((name) => world.set(name, { behaviour: 'silent' }));
    const all = new AbortController();
    const answers = names.map((name) => dns.mx(name, all.signal));
    await world.queriesFor('silent-2.test');
    await aClient().mx('fast.test', NEVER);
    expect(new Set(world.questions.map(({ name }) => name))).toEqual(
      new Set([...names.slice(0, 3), 'fast.test']),
    );

    for (const [n, quarters] of [1, 2, 1].entries()) {
      await Promise.all(names.slice(0, 3).map((name) => world.queriesFor(name, n + 1)));
      await clock.advance((quarters * TIMEOUT_MS) / 4);
    }
    await Promise.all(names.slice(3, 6).map((name) => world.queriesFor(name)));
    all.abort();
    expect(await Promise.all(answers)).toHaveLength(10);
  });

  it('whose requesters have aborted never leave the queue', async () => {
    const dns = aClient(1);
    const all = new AbortController();
    const first = dns.mx('slow.test', NEVER);
    const queued = dns.mx('fast.test', all.signal);
    all.abort();
    await Promise.all([first, queued]);
    await dns.mx('absent.test', NEVER);
    expect(world.questions.map(({ name }) => name)).toEqual(['slow.test', 'absent.test']);
  });

  it('leave no socket and no listener behind when hundreds wait under one signal', async () => {
    const deadline = new AbortController();
    const dns = aClient();
    const answers = Array.from({ length: 300 }, (_, i) => dns.addresses(`absent-${i}.test`, deadline.signal));
    await Promise.all(answers);
    expect(getEventListeners(deadline.signal, 'abort')).toEqual([]);
    expect(sockets.length).toBeGreaterThanOrEqual(600);
    expect(openSockets()).toBe(0);
  });
});
