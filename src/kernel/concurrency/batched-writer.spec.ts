import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { BatchedWriter, type BatchOptions } from './batched-writer.js';

/** Writes that the test ends. */
function aWriter(options: Partial<BatchOptions<string, string>> = {}) {
  const begun: { items: readonly string[]; end(): void; fail(error: Error): void }[] = [];
  const writer = new BatchedWriter<string, string>({
    write: (items) =>
      new Promise((resolve, reject) => {
        begun.push({ items, end: () => resolve(items.map((item) => `${item}!`)), fail: reject });
      }),
    ...options,
  });
  return { writer, begun, itemsOf: () => begun.map(({ items }) => items) };
}

/** Not the one that a test replaces. */
const { setImmediate } = globalThis;
const settled = () => new Promise(setImmediate);

describe('items that are not collected', () => {
  it('are written at once, and all added meanwhile together', async () => {
    const { writer, begun, itemsOf } = aWriter();
    const results = Promise.all(['a', 'b', 'c'].map((item) => writer.add('team', item)));
    expect(itemsOf()).toEqual([['a']]);
    begun[0]?.end();
    await settled();
    expect(itemsOf()).toEqual([['a'], ['b', 'c']]);
    begun[1]?.end();
    expect(await results).toEqual(['a!', 'b!', 'c!']);
  });

  it('have no result before their write has ended', async () => {
    const { writer, begun } = aWriter();
    let has = false;
    const added = writer.add('team', 'a').then(() => (has = true));
    await settled();
    expect(has).toBe(false);
    begun[0]?.end();
    await added;
  });

  it('do not wait for those of other keys', () => {
    const { writer, itemsOf } = aWriter();
    void writer.add('one', 'a');
    void writer.add('other', 'b');
    expect(itemsOf()).toEqual([['a'], ['b']]);
  });

  it('fail with their write, and the next write continues', async () => {
    const { writer, begun } = aWriter();
    const failed = [writer.add('team', 'a'), writer.add('team', 'b')];
    begun[0]?.fail(new Error('first'));
    await expect(failed[0]).rejects.toThrow('first');
    begun[1]?.end();
    expect(await failed[1]).toBe('b!');
    await settled();
    const later = writer.add('team', 'c');
    begun[2]?.end();
    expect(await later).toBe('c!');
  });

  it('fail alone, where each is retried', async () => {
    const written: number[] = [];
    const writer = new BatchedWriter<number>({
      write: async (items) => {
        if (items.includes(3)) throw new Error('3');
        written.push(...items);
      },
      retriesEach: true,
    });
    const ends = await Promise.allSettled([1, 2, 3, 4].map((item) => writer.add('a', item)));
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(written).toEqual([1, 2, 4]);
  });
});

describe('collected items', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** Writes that end at once. */
  function collecting(options: Partial<BatchOptions<string, void>> = {}) {
    const writes: string[][] = [];
    const writer: BatchedWriter<string> = new BatchedWriter({
      write: async (items) => void writes.push([...items]),
      collectMs: 1_000,
      ...options,
    });
    const add = (...items: string[]) => items.forEach((item) => void writer.add('', item));
    const after = async (ms: number) => {
      jest.advanceTimersByTime(ms);
      await settled();
    };
    return { writer, writes, add, after };
  }

  it('are written together after the time, counted from the first', async () => {
    const { writes, add, after } = collecting();
    add('a');
    await after(999);
    add('b');
    expect(writes).toEqual([]);
    await after(1);
    expect(writes).toEqual([['a', 'b']]);
    await after(10_000);
    expect(writes).toHaveLength(1);
  });

  it('are collected again while a write is running', async () => {
    const { writer, begun, itemsOf } = aWriter({ collectMs: 1_000 });
    void writer.add('', 'a');
    jest.advanceTimersByTime(1_000);
    await settled();
    void writer.add('', 'b');
    begun[0]?.end();
    await settled();
    jest.advanceTimersByTime(999);
    await settled();
    expect(itemsOf()).toEqual([['a']]);
    jest.advanceTimersByTime(1);
    await settled();
    expect(itemsOf()).toEqual([['a'], ['b']]);
  });

  it('are written as soon as they have the size of a write, which never has more', async () => {
    const { writes, add, after } = collecting({ maxSize: 6, sizeOf: (item) => item.length });
    add('aaa', 'bbb', 'cc', 'dd', 'ee', 'f');
    await after(0);
    expect(writes).toEqual([
      ['aaa', 'bbb'],
      ['cc', 'dd', 'ee'],
    ]);
    await after(1_000);
    expect(writes.at(-1)).toEqual(['f']);
  });

  it('are merged by id, and by default the later one is written', async () => {
    const by = (item: string) => item.charAt(0);
    const merged = collecting({ idOf: by, merge: (earlier, later) => earlier + later });
    const replaced = collecting({ idOf: by });
    for (const { add, after } of [merged, replaced]) {
      add('a1', 'b1', 'a2');
      await after(1_000);
    }
    expect([merged.writes, replaced.writes]).toEqual([[['a1a2', 'b1']], [['a2', 'b1']]]);
  });

  it('are written by a flush, which waits for all of them and fails with them', async () => {
    const { writer, begun, itemsOf } = aWriter({ collectMs: Number.POSITIVE_INFINITY, maxSize: 2 });
    for (const item of ['a', 'b', 'c']) void writer.add('', item);
    await settled();
    expect([writer.waiting, itemsOf()]).toEqual([1, [['a', 'b']]]);
    const flushed = writer.flush();
    begun[0]?.end();
    await settled();
    expect([writer.waiting, itemsOf()]).toEqual([0, [['a', 'b'], ['c']]]);
    begun[1]?.fail(new Error('no'));
    await expect(flushed).rejects.toThrow('no');
  });

  it('that their write adds again are written after the time, also when they were flushed', async () => {
    const writes: string[][] = [];
    const { writer, add, after } = collecting({
      write: async (items) => {
        writes.push([...items]);
        if (writes.length === 1) add(...items);
      },
    });
    add('a');
    await writer.flush();
    await settled();
    expect(writes).toEqual([['a']]);
    await after(1_000);
    expect(writes).toEqual([['a'], ['a']]);
  });

  it('have no timer after close, and wait for a flush', async () => {
    const { writer, writes, add, after } = collecting();
    add('a');
    await writer.close();
    expect(writes).toEqual([['a']]);
    add('b');
    await after(10_000);
    expect(writes).toEqual([['a']]);
    await writer.flush();
    expect(writes).toEqual([['a'], ['b']]);
  });
});
