import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setMaxListeners } from 'node:events';
import { setImmediate as soon } from 'node:timers/promises';
import type { Priority } from '../../kernel/concurrency/fair-queue.js';
import { FirstContacts, type CountedAt } from './first-contacts.js';

const NEVER = new AbortController().signal;
setMaxListeners(0, NEVER);

let contacts: FirstContacts;
let answered: Set<string>;
let refused: Set<string>;
/** Those that have entered, in this order. */
let entered: string[];
beforeEach(() => {
  contacts = new FirstContacts();
  answered = new Set();
  refused = new Set();
  entered = [];
});

interface Asking {
  team?: string;
  priority?: Priority;
  signal?: AbortSignal;
}

/** @returns what releases it, when it has entered. */
function ask(name: string, units: string[], { team = 'a', priority = 'list', signal = NEVER }: Asking = {}) {
  const counted: CountedAt = new Map();
  const unanswered = () =>
    units.some((unit) => refused.has(unit)) ? null : units.filter((unit) => !answered.has(unit));
  const result = contacts.enter(unanswered, { team, priority }, counted, signal);
  void result.then((isIn) => (isIn ? entered.push(name) : undefined));
  return { result, release: () => counted.forEach((release) => release()) };
}
const askMany = (count: number, units: string[], asking?: Asking) =>
  Array.from({ length: count }, (_, n) => ask(`${asking?.team ?? 'a'}${n}`, units, asking));

describe('before the first answer', () => {
  it('eight recipients of a team are under way at a unit, and another one for each that ends', async () => {
    const [first] = askMany(12, ['google']);
    await soon();
    expect(entered).toHaveLength(8);
    first!.release();
    await soon();
    expect(entered).toHaveLength(9);
  });

  it('teams and units do not wait for each other', async () => {
    askMany(12, ['google']);
    askMany(12, ['google'], { team: 'b' });
    askMany(12, ['yahoo']);
    await soon();
    expect(entered).toHaveLength(24);
  });

  it('those that wait at one unit hold no place at another', async () => {
    askMany(8, ['google']);
    askMany(20, ['google', 'direct']);
    const others = askMany(8, ['yahoo', 'direct']);
    await soon();
    expect(entered).toHaveLength(16);
    for (const { release } of others) release();
    askMany(8, ['orange', 'direct']);
    await soon();
    expect(entered).toHaveLength(24);
  });

  it('a single call is next, before rows of lists', async () => {
    const [first] = askMany(12, ['google']);
    ask('single', ['google'], { priority: 'single' });
    first!.release();
    await soon();
    expect(entered.at(-1)).toBe('single');
  });

  it('a recipient that is probed at a second host of a provider counts once', async () => {
    const counted: CountedAt = new Map();
    const enter = (unit: string) =>
      contacts.enter(() => ['google', unit], { team: 'a', priority: 'list' }, counted, NEVER);
    askMany(7, ['google']);
    expect([await enter('mx1'), await enter('mx2')]).toEqual([true, true]);
  });

  it('one without a result after five seconds delays nobody', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] });
    try {
      askMany(12, ['google']);
      await soon();
      jest.advanceTimersByTime(4_999);
      await soon();
      expect(entered).toHaveLength(8);
      jest.advanceTimersByTime(1);
      await soon();
      expect(entered).toHaveLength(12);
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('those that wait', () => {
  it('all begin once the unit has answered', async () => {
    const [first] = askMany(500, ['google']);
    await soon();
    answered.add('google');
    first!.release();
    await soon();
    expect(entered).toHaveLength(500);
  });

  it('all end once the unit may not be probed, and their places are free', async () => {
    const all = askMany(500, ['google']);
    await soon();
    refused.add('google');
    for (const { release } of all.slice(0, 8)) release();
    const results = await Promise.all(all.map(({ result }) => result));
    expect(results.filter(Boolean)).toHaveLength(8);
    refused.clear();
    askMany(8, ['google']);
    await soon();
    expect(entered).toHaveLength(16);
  });

  it('end with their signal, and give their turn to the next', async () => {
    const [first] = askMany(8, ['google']);
    const hasty = new AbortController();
    const aborted = ask('hasty', ['google'], { signal: hasty.signal });
    ask('patient', ['google']);
    hasty.abort();
    expect(await aborted.result).toBe(false);
    first!.release();
    await soon();
    expect(entered.at(-1)).toBe('patient');
  });
});
