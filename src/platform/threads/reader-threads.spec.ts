import { afterEach, describe, expect, it } from '@jest/globals';
import { setImmediate as soon, setTimeout as pause } from 'node:timers/promises';
import { PLANTED, PlantedBody } from '../../../test/support/threads/planted-body.js';
import type { PlantedKind } from '../../../test/support/threads/planted.thread.js';
import { AdjustableClock } from '../../../test/support/time/adjustable-clock.js';
import { InvalidRequest } from '../../kernel/errors.js';
import { READING_LIMITS, ReaderThreads, THREADS } from './reader-threads.js';

/** More than a body needs to get a thread. */
const LARGE = 'x'.repeat(70_000);
const LIMITS = { ...READING_LIMITS, computeMs: 300, memoryBytes: 64_000_000 };
/** Few, because each takes some time to start. */
const FEW = { ...THREADS, total: 4, reserved: { slots: 1, few: 1 } };

interface Given {
  team?: string;
  kind?: PlantedKind;
  signal?: AbortSignal;
}

let threads: ReaderThreads;
let clock: AdjustableClock;

function start(limits = LIMITS, places = THREADS): void {
  clock = new AdjustableClock();
  threads = new ReaderThreads(clock, limits, places);
}

function reading(body: AsyncIterable<Buffer>, { team = 'a', kind = 'lines', signal }: Given = {}) {
  return threads.read(PLANTED, { team, options: { kind }, signal }, body);
}

async function linesOf(body: AsyncIterable<Buffer>, given?: Given): Promise<string[]> {
  const lines: string[] = [];
  for await (const batch of reading(body, given)) lines.push(...batch);
  return lines;
}

const problemOf = (result: Promise<unknown>) =>
  result.then(
    () => 'none',
    (error: { definition?: { code: string }; message: string }) => error.definition?.code ?? error.message,
  );

/** Bodies that have a thread and wait for their senders. */
async function held(count: number, teamOf: (n: number) => string) {
  const bodies = Array.from({ length: count }, (_, n) => ({
    team: teamOf(n),
    body: new PlantedBody().send(LARGE),
  }));
  const all = bodies.map(({ team, body }) => {
    const batches = reading(body, { team });
    return { team, body, batches, first: batches.next() };
  });
  await Promise.all(all.map(({ first }) => first));
  return all;
}

afterEach(() => threads.onApplicationShutdown());

describe('a body that is read in a thread', () => {
  it('gives its batches in order, each before the next piece arrives', async () => {
    start();
    const body = new PlantedBody().send(LARGE);
    const batches = reading(body);
    expect((await batches.next()).value).toEqual([LARGE]);
    body.send('1\n2');
    expect((await batches.next()).value).toEqual(['1', '2']);
    body.send('3').end();
    expect((await batches.next()).value).toEqual(['3']);
    expect((await batches.next()).done).toBe(true);
  });

  it('is not changed in the memory of its sender', async () => {
    start();
    const memory = Buffer.from('one\ntwo\nthree');
    const body = new PlantedBody().end();
    expect(await linesOf(body)).toEqual([]);
    async function* parts() {
      yield memory.subarray(0, 4);
      yield await Promise.resolve(memory.subarray(4));
    }
    expect(await linesOf(parts())).toEqual(['one', '', 'two', 'three']);
    expect(memory.toString()).toBe('one\ntwo\nthree');
  });

  it('is refused with the same problem as without a thread', async () => {
    start();
    const result = linesOf(new PlantedBody().send('x').end(), { kind: 'refuses' });
    const error = await result.catch((thrown: unknown) => thrown as InvalidRequest);
    expect(error).toBeInstanceOf(InvalidRequest);
    expect(error).toMatchObject({
      message: 'Line 8.',
      status: 400,
      fieldErrors: [{ pointer: '/7/email', code: 'invalid_type', message: 'Send a string.' }],
    });
  });

  it('fails with the failure of its sender, after what arrived before it was given', async () => {
    start();
    const body = new PlantedBody().send(LARGE, 'last').fail(new Error('gone'));
    const lines: string[] = [];
    const result = (async () => {
      for await (const batch of reading(body)) lines.push(...batch);
    })();
    await expect(result).rejects.toThrow('gone');
    expect(lines).toEqual([LARGE, 'last']);
  });

  it('uses the thread of a body that has ended', async () => {
    start();
    for (let n = 0; n < 5; n++) expect(await linesOf(new PlantedBody().send(`${n}`).end())).toEqual([`${n}`]);
    while (threads.inUse > 0) await soon();
    expect(threads.count).toBe(1);
  });
});

describe('a body that costs too much', () => {
  it.each(['endless', 'a bit slow'] as const)(
    'of which the reader is %s is refused, and another team’s goes on',
    async (kind) => {
      start();
      const other = new PlantedBody().send(LARGE);
      const batches = reading(other, { team: 'b' });
      await batches.next();
      const slow = new PlantedBody();
      for (let n = 0; n < 40; n++) slow.send(LARGE);
      expect(await problemOf(linesOf(slow.end(), { kind }))).toBe('reading_too_costly');
      expect(slow.isClosed).toBe(true);
      other.send('still here').end();
      expect((await batches.next()).value).toEqual(['still here']);
    },
  );

  it.each(['keeps all', 'array', 'map', 'objects', 'text'] as const)(
    'because it fills the memory with %s is refused, and another team’s goes on',
    async (kind) => {
      start({ ...LIMITS, computeMs: 60_000 });
      const other = new PlantedBody().send(LARGE);
      const batches = reading(other, { team: 'b' });
      await batches.next();
      const hog = new PlantedBody();
      for (let n = 0; n < 20; n++) hog.send(LARGE);
      const error: unknown = await linesOf(hog.end(), { kind }).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ status: 422, limit: 'memory' });
      other.send('still here').end();
      expect((await batches.next()).value).toEqual(['still here']);
    },
  );

  it('is not refused for memory that others use while it does not compute', async () => {
    start();
    let isRead = false;
    const read = linesOf(new PlantedBody().send('x').end(), { kind: 'waits' }).finally(() => (isRead = true));
    const used: Buffer[] = [];
    while (!isRead) {
      if (used.length < 200) used.push(Buffer.alloc(1_000_000, used.length));
      await (used.length < 200 ? soon() : pause(2));
    }
    expect(await read).toEqual(['x']);
    expect(used.length).toBeGreaterThan(100);
  });

  it('does not end another body of its team', async () => {
    start();
    const other = new PlantedBody().send(LARGE);
    const batches = reading(other);
    await batches.next();
    expect(await problemOf(linesOf(new PlantedBody().send('x').end(), { kind: 'endless' }))).toBe(
      'reading_too_costly',
    );
    other.send('still here').end();
    expect((await batches.next()).value).toEqual(['still here']);
  });
});

describe('a thread that crashes', () => {
  it.each([
    ['throws', 'planted'],
    ['undeclared', 'A reader has thrown unavailable, which it does not declare'],
    ['exits', 'A reading thread has ended'],
    ['crashes later', 'planted'],
  ] as const)('because its reader %s fails its own body only', async (kind, message) => {
    start();
    const other = new PlantedBody().send(LARGE);
    const batches = reading(other, { team: 'b' });
    await batches.next();
    expect(await problemOf(linesOf(new PlantedBody().send('x').end(), { kind }))).toBe(message);
    other.send('still here').end();
    expect((await batches.next()).value).toEqual(['still here']);
    expect(await linesOf(new PlantedBody().send('next').end())).toEqual(['next']);
  });
});

describe('a body that nobody waits for', () => {
  it('is ended at once by its signal, also while its thread computes, and frees its place', async () => {
    start({ ...LIMITS, computeMs: 60_000 });
    const gone = new AbortController();
    const computing = problemOf(
      linesOf(new PlantedBody().send('x').end(), { kind: 'endless', signal: gone.signal }),
    );
    const arriving = problemOf(linesOf(new PlantedBody().send(LARGE), { signal: gone.signal }));
    while (threads.inUse < 2) await soon();
    gone.abort(new Error('gone'));
    expect(await Promise.all([computing, arriving])).toEqual(['gone', 'gone']);
    while (threads.inUse > 0) await soon();
  });

  it('is ended when its sender goes while its thread computes', async () => {
    start({ ...LIMITS, computeMs: 60_000 });
    const body = new PlantedBody().send(LARGE);
    const result = problemOf(linesOf(body, { kind: 'endless' }));
    while (threads.inUse === 0) await soon();
    body.fail(new Error('gone'));
    expect(await result).toBe('gone');
    while (threads.inUse > 0) await soon();
  });

  it('is closed when its reader stops in the middle', async () => {
    start();
    const body = new PlantedBody().send(LARGE, 'more');
    for await (const batch of reading(body)) if (batch.length > 0) break;
    while (threads.inUse > 0) await soon();
    expect(body.send('the rest').isClosed || (await soon(), body.isClosed)).toBe(true);
    expect(await linesOf(new PlantedBody().send('next').end())).toEqual(['next']);
  });
});

describe('threads', () => {
  it('are at most 16, four for a team, and some for teams that have none', async () => {
    start();
    const own = await held(4, () => 'a');
    const fifth = reading(new PlantedBody().send('fifth').end(), { team: 'a' }).next();
    expect(await Promise.race([fifth, linesOf(new PlantedBody().send('b').end(), { team: 'b' })])).toEqual([
      'b',
    ]);
    const others = await held(8, (n) => `other ${n % 4}`);
    expect(threads.inUse).toBe(12);
    const more = reading(new PlantedBody().send(LARGE), { team: 'other 1' }).next();
    expect(await linesOf(new PlantedBody().send('new').end(), { team: 'new' })).toEqual(['new']);
    for (const { body } of [...own, ...others]) body.end();
    for (const { batches } of [...own, ...others]) await batches.next();
    expect((await fifth).value).toEqual(['fifth']);
    expect((await more).value).toEqual([LARGE]);
  });

  it('go to teams that wait in turns', async () => {
    start(LIMITS, FEW);
    const all = await held(FEW.total, (n) => `team ${n}`);
    const order: string[] = [];
    const waiting = ['a', 'a', 'a', 'b', 'c'].map(async (team) => {
      for await (const batch of reading(new PlantedBody().send(LARGE).end(), { team }))
        if (batch.length > 0) order.push(team);
    });
    await soon();
    for (const { batches } of all.slice(0, 1)) await batches.return();
    await Promise.all(waiting);
    expect(order).toEqual(['a', 'b', 'c', 'a', 'a']);
  });

  it('are taken from bodies that arrive slowly when others wait', async () => {
    start(LIMITS, FEW);
    const all = await held(FEW.total, (n) => `team ${n}`);
    const [slowest] = all;
    const ends = all.map(({ batches }) => problemOf(batches.next()));
    clock.advance(10_000);
    for (const { body } of all.slice(1)) body.send('x'.repeat(400_000));
    const waiting = linesOf(new PlantedBody().send('waits').end(), { team: 'new' });
    await soon();
    clock.advance(10_000);
    expect(await waiting).toEqual(['waits']);
    expect(await ends[0]).toBe('request_timeout');
    expect(slowest?.body.isClosed || slowest?.body.send('x') !== undefined).toBe(true);
    expect(await Promise.all(ends.slice(1))).toEqual(Array(FEW.total - 1).fill('none'));
  });

  it('are not taken from slow bodies when nobody waits', async () => {
    start();
    const [slow] = await held(1, () => 'a');
    clock.advance(500_000);
    expect(await linesOf(new PlantedBody().send('x').end(), { team: 'b' })).toEqual(['x']);
    slow?.body.send('here').end();
    expect((await slow?.batches.next())?.value).toEqual(['here']);
  });

  it('are not held by bodies whose beginning has not arrived', async () => {
    start();
    const dripping = Array.from({ length: 30 }, (_, n) =>
      reading(new PlantedBody().send('x'), { team: `${n}` }).next(),
    );
    await soon();
    expect(threads.inUse).toBe(0);
    expect(await linesOf(new PlantedBody().send('x').end(), { team: 'b' })).toEqual(['x']);
    expect(dripping).toHaveLength(30);
  });
});
