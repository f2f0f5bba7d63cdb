import { describe, expect, it } from '@jest/globals';
import { mapConcurrently } from './map-concurrently.js';

/** Work that the test ends. */
class Works {
  readonly begun: string[] = [];
  most = 0;
  private readonly ends = new Map<string, (result: string) => void>();

  readonly do = (item: string): Promise<string> => {
    this.begun.push(item);
    return new Promise((resolve) => {
      this.ends.set(item, resolve);
      this.most = Math.max(this.most, this.ends.size);
    });
  };

  end(item: string): void {
    this.ends.get(item)?.(item.toUpperCase());
    this.ends.delete(item);
  }
}

async function collect<T>(results: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const result of results) all.push(result);
  return all;
}

describe('concurrent work', () => {
  it('yields every result once, in any order', async () => {
    const items = Array.from({ length: 100 }, (_, index) => index);
    const results = await collect(mapConcurrently(items, 7, async (n) => n * 2));
    expect(results.toSorted((a, b) => a - b)).toEqual(items.map((n) => n * 2));
  });

  it('ends at once for a list without items, whose concurrency is their number', async () => {
    expect(await collect(mapConcurrently([], 0, async (n) => n))).toEqual([]);
  });

  it('yields results in the order of completion', async () => {
    const works = new Works();
    const results = mapConcurrently(['a', 'b', 'c'], 3, works.do);
    const first = results.next();
    await new Promise(setImmediate);
    works.end('c');
    expect((await first).value).toBe('C');
    works.end('a');
    works.end('b');
    expect(await collect(results)).toEqual(['A', 'B']);
  });

  it('never exceeds its concurrency, and starts nothing while no result is consumed', async () => {
    const works = new Works();
    const results = mapConcurrently(['a', 'b', 'c', 'd'], 2, works.do);
    const first = results.next();
    await new Promise(setImmediate);
    expect(works.begun).toEqual(['a', 'b']);
    works.end('a');
    await first;
    works.end('b');
    await new Promise(setImmediate);
    expect([works.begun, works.most]).toEqual([['a', 'b'], 2]);
  });

  it('reads from a stream and closes it when the consumer stops', async () => {
    let letGo = false;
    async function* endless(): AsyncGenerator<number> {
      try {
        for (let n = 0; ; n += 1) yield n;
      } finally {
        letGo = true;
      }
    }
    for await (const result of mapConcurrently(endless(), 3, async (n) => n)) {
      if (result >= 10) break;
    }
    expect(letGo).toBe(true);
  });

  it('yields a result while the source is slow, and waits for no item of it when the consumer stops', async () => {
    let isRead = false;
    async function* slow(): AsyncGenerator<string> {
      yield 'a';
      isRead = true;
      await new Promise(() => undefined);
    }
    const results: string[] = [];
    for await (const result of mapConcurrently(slow(), 3, async (item) => item)) {
      results.push(result);
      break;
    }
    expect([results, isRead]).toEqual([['a'], true]);
  });

  it('begins no item that the source yields after the consumer has stopped', async () => {
    const begun: string[] = [];
    let yieldNext = (): void => undefined;
    async function* slow(): AsyncGenerator<string> {
      yield 'a';
      await new Promise<void>((resolve) => (yieldNext = resolve));
      yield 'b';
    }
    for await (const result of mapConcurrently(slow(), 3, async (item) => (begun.push(item), item)))
      if (result === 'a') break;
    yieldNext();
    await new Promise(setImmediate);
    expect(begun).toEqual(['a']);
  });

  it('rethrows errors of the source', async () => {
    async function* broken(): AsyncGenerator<number> {
      yield 1;
      throw new RangeError('broken');
    }
    await expect(collect(mapConcurrently(broken(), 1, async (n) => n))).rejects.toThrow('broken');
  });

  it('rethrows errors', async () => {
    const results = mapConcurrently([1, 2], 1, async () => Promise.reject(new RangeError('no')));
    await expect(collect(results)).rejects.toThrow('no');
  });
});
