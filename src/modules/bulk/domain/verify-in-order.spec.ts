import { describe, expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import type { Verdict } from '../../../kernel/verdict.js';
import type { ListEntry } from './list-entry.js';
import type { RowResult } from './list.repository.js';
import { verifyInOrder, type OrderedVerification } from './verify-in-order.js';

const entry = (email: string): ListEntry => ({ email, ref: null });

async function* inBatchesOf(size: number, emails: readonly string[], onRead?: (rows: number) => void) {
  for (let at = 0; at < emails.length; at += size) {
    await setImmediate();
    const batch = emails.slice(at, at + size).map(entry);
    onRead?.(batch.length);
    yield batch;
  }
}

/** Verifications that end when the test says so. */
class Verifications {
  readonly started: string[] = [];
  private readonly ends = new Map<string, () => void>();
  verified = 0;

  options(more: Partial<OrderedVerification> = {}): OrderedVerification {
    return {
      verify: (email) => this.start(email),
      windowRows: 1_000,
      concurrency: 100,
      perDomain: 100,
      identify: (email) => email.toLowerCase(),
      isRepeated: () => true,
      onVerified: (rows) => void (this.verified += rows),
      ...more,
    };
  }

  end(...emails: string[]): void {
    for (const email of emails) this.ends.get(email)?.();
  }

  private start(email: string): Promise<Verdict> {
    this.started.push(email);
    return new Promise((resolve) => this.ends.set(email, () => resolve({ email } as Verdict)));
  }
}

/** Reads in the background, and collects. */
function collect(results: AsyncIterable<readonly RowResult[]>) {
  const rows: RowResult[] = [];
  const ended = (async () => {
    for await (const group of results) rows.push(...group);
  })();
  return { rows, ended, indexes: () => rows.map(({ index }) => index) };
}

const settled = async () => {
  for (let turn = 0; turn < 50; turn++) await setImmediate();
};

describe('verification in input order', () => {
  it('yields a row when those before it are complete, and counts verified rows before', async () => {
    const works = new Verifications();
    const results = collect(verifyInOrder(inBatchesOf(2, ['a@x', 'b@y', 'c@z']), 5, works.options()));
    await settled();
    works.end('c@z', 'b@y');
    await settled();
    expect([works.verified, results.indexes()]).toEqual([2, []]);
    works.end('a@x');
    await results.ended;
    expect(results.indexes()).toEqual([5, 6, 7]);
    expect(results.rows.map(({ email, verdict }) => [email, verdict?.email])).toEqual([
      ['a@x', 'a@x'],
      ['b@y', 'b@y'],
      ['c@z', 'c@z'],
    ]);
  });

  it('starts the next address when one ends, and not when a group ends', async () => {
    const works = new Verifications();
    const emails = ['a@x', 'b@x', 'c@x', 'd@x'];
    const results = collect(verifyInOrder(inBatchesOf(4, emails), 0, works.options({ concurrency: 2 })));
    await settled();
    works.end('b@x');
    await settled();
    expect(works.started).toEqual(['a@x', 'b@x', 'c@x']);
    works.end('c@x');
    await settled();
    works.end('a@x', 'd@x');
    await results.ended;
  });

  it('serves the domains of the window in turns, so that one leaves slots for the others', async () => {
    const works = new Verifications();
    const sorted = [...Array.from({ length: 50 }, (_, n) => `p${n}@silent`), 'a@x', 'b@x', 'a@y'];
    const limits = { concurrency: 10, perDomain: 4 };
    const results = collect(verifyInOrder(inBatchesOf(20, sorted), 0, works.options(limits)));
    await settled();
    expect(works.started.filter((email) => email.endsWith('silent'))).toHaveLength(4);
    expect(works.started).toEqual(expect.arrayContaining(['a@x', 'b@x', 'a@y']));
    for (const email of [...sorted].reverse()) {
      works.end(email);
      await settled();
    }
    while (results.rows.length < sorted.length) {
      works.end(...works.started);
      await settled();
    }
    await results.ended;
    expect(results.rows.map(({ email }) => email)).toEqual(sorted);
  });

  it('reads no more than the window while the first row waits', async () => {
    const works = new Verifications();
    let read = 0;
    const emails = Array.from({ length: 100 }, (_, n) => `p${n}@d${n}`);
    const source = inBatchesOf(10, emails, (rows) => (read += rows));
    const results = collect(verifyInOrder(source, 0, works.options({ windowRows: 30 })));
    await settled();
    works.end(...works.started.slice(1));
    await settled();
    expect([read, works.started.length, results.rows.length]).toEqual([30, 30, 0]);
    works.end('p0@d0');
    await settled();
    expect(results.rows).toHaveLength(30);
    while (results.rows.length < emails.length) {
      works.end(...works.started);
      await settled();
    }
    await results.ended;
  });

  it('verifies an address that occurs again once, also when its first row was yielded long before', async () => {
    const works = new Verifications();
    const emails = ['a@x', 'A@x', ...Array.from({ length: 20 }, (_, n) => `p${n}@y`), 'a@X'];
    const results = collect(verifyInOrder(inBatchesOf(2, emails), 0, works.options({ windowRows: 4 })));
    while (results.rows.length < emails.length) {
      works.end(...works.started);
      await settled();
    }
    await results.ended;
    expect(works.started.filter((email) => /^a@x$/i.test(email))).toEqual(['a@x']);
    expect(works.verified).toBe(emails.length);
    expect(results.rows.map(({ email }) => email)).toEqual(emails);
    expect(results.rows.at(-1)?.verdict?.email).toBe('a@x');
  });

  it('starts no further address when its consumer leaves', async () => {
    const works = new Verifications();
    const options = works.options({ concurrency: 1 });
    for await (const rows of verifyInOrder(inBatchesOf(3, ['a@x', 'b@x', 'c@x']), 0, {
      ...options,
      verify: (email) => {
        const verdict = options.verify(email);
        works.end(email);
        return verdict;
      },
    })) {
      expect(rows[0]?.email).toBe('a@x');
      break;
    }
    const { length } = works.started;
    await settled();
    expect(works.started).toHaveLength(length);
  });

  it('reports an error of the list, and of a verification', async () => {
    const works = new Verifications();
    const broken = (async function* () {
      yield [entry('a@x')];
      await setImmediate();
      throw new RangeError('line 2');
    })();
    await expect(collect(verifyInOrder(broken, 0, works.options())).ended).rejects.toThrow('line 2');
    const verify = () => Promise.reject(new TypeError('a bug'));
    const failing = verifyInOrder(inBatchesOf(1, ['a@x']), 0, works.options({ verify }));
    await expect(collect(failing).ended).rejects.toThrow('a bug');
  });
});
