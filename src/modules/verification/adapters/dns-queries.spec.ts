import type { Socket } from 'node:dgram';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { getEventListeners } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DnsWorld } from '../../../../test/support/dns-world.js';
import { FakeClock } from '../../../../test/support/fake-clock.js';
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

/** Every UDP socket that was made since the world began: the clients'. */
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

describe('many who ask the same', () => {
  it('wait for one question', async () => {
    const dns = aClient();
    const answers = await Promise.all(Array.from({ length: 50 }, () => dns.mx('slow.test', NEVER)));
    expect(answers.every((answer) => answer.kind === 'records' && !answer.cached)).toBe(true);
    expect(world.questions).toHaveLength(1);
  });

  it('get their answer although one of them gave up', async () => {
    const dns = aClient();
    const hasty = new AbortController();
    const givenUp = dns.mx('slow.test', hasty.signal);
    const waiting = dns.mx('slow.test', NEVER);
    await world.asked('slow.test');
    hasty.abort();
    expect(await givenUp).toEqual({ kind: 'error', ageSeconds: 0, cached: false });
    expect(await waiting).toMatchObject({ kind: 'records' });
    expect(world.questions).toHaveLength(1);
  });

  it('leave nothing behind when all of them give up, and a later one asks anew', async () => {
    const dns = aClient();
    const all = new AbortController();
    const answers = [dns.mx('silent.test', all.signal), dns.mx('silent.test', all.signal)];
    await world.asked('silent.test');
    expect(openSockets()).toBe(1);
    all.abort();
    expect(await Promise.all(answers)).toMatchObject([{ kind: 'error' }, { kind: 'error' }]);
    expect(clock.pausing).toBe(0);
    expect(openSockets()).toBe(0);

    const later = new AbortController();
    const anew = dns.mx('silent.test', later.signal);
    await world.asked('silent.test', 2);
    later.abort();
    await anew;
  });

  it('do not ask at all when they have given up already', async () => {
    expect(await aClient().mx('fast.test', AbortSignal.abort())).toMatchObject({ kind: 'error' });
    expect(world.questions).toEqual([]);
  });
});

describe('questions in the air', () => {
  it('are no more than the cap, and the rest go as the first come home', async () => {
    const dns = aClient(3);
    const names = Array.from({ length: 10 }, (_, i) => `silent-${i}.test`);
    names.forEach((name) => world.set(name, { behaviour: 'silent' }));
    const all = new AbortController();
    const answers = names.map((name) => dns.mx(name, all.signal));
    await world.asked('silent-2.test');
    await aClient().mx('fast.test', NEVER);
    expect(new Set(world.questions.map(({ name }) => name))).toEqual(
      new Set([...names.slice(0, 3), 'fast.test']),
    );

    for (let tries = 1; tries <= 4; tries++) {
      await Promise.all(names.slice(0, 3).map((name) => world.asked(name, tries)));
      await clock.advance(TIMEOUT_MS / 4);
    }
    await Promise.all(names.slice(3, 6).map((name) => world.asked(name)));
    all.abort();
    expect(await Promise.all(answers)).toHaveLength(10);
  });

  it('that nobody waits for any more never leave the queue', async () => {
    const dns = aClient(1);
    const all = new AbortController();
    const first = dns.mx('slow.test', NEVER);
    const queued = dns.mx('fast.test', all.signal);
    all.abort();
    await Promise.all([first, queued]);
    await dns.mx('absent.test', NEVER);
    expect(world.questions.map(({ name }) => name)).toEqual(['slow.test', 'absent.test']);
  });

  it('leave no socket and no listener behind when hundreds wait under one deadline', async () => {
    const deadline = new AbortController();
    const dns = aClient();
    const answers = Array.from({ length: 300 }, (_, i) => dns.addresses(`absent-${i}.test`, deadline.signal));
    await Promise.all(answers);
    expect(getEventListeners(deadline.signal, 'abort')).toEqual([]);
    expect(sockets.length).toBeGreaterThanOrEqual(600);
    expect(openSockets()).toBe(0);
  });
});
