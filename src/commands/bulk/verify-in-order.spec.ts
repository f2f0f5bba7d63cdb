import { describe, expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import type { ListEntry, RowResult } from '../../kernel/list-files/list-entry.js';
import type { Verdict } from '../../kernel/verdict.js';
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

  /** @param mayStart resolves when the servers of the address can use it. */
  constructor(private readonly mayStart: (email: string) => Promise<unknown> = () => Promise.resolve()) {}

  options(more: Partial<OrderedVerification> = {}): OrderedVerification {
    return {
      verify: (email, signal) => this.start(email, signal),
      windowRows: 1_000,
      identify: (email) => email.toLowerCase(),
      isRepeated: () => true,
      onVerified: (rows) => void (this.verified += rows.length),
      ...more,
    };
  }

  end(...emails: string[]): void {
    for (const email of emails) this.ends.get(email)?.();
  }

  private async start(email: string, signal: AbortSignal): Promise<Verdict | null> {
    await this.mayStart(email);
    if (signal.aborted) return null;
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

  it('reports each row when it has a verdict, in any order, and names the addresses that have none', async () => {
    const works = new Verifications();
    const done: RowResult[] = [];
    const onVerified = (rows: readonly RowResult[]) => void done.push(...rows);
    const rows = verifyInOrder(
      inBatchesOf(4, ['slow@x', 'b@y', 'c@z', 'B@y']),
      7,
      works.options({ onVerified }),
    );
    const results = collect(rows);
    await settled();
    works.end('c@z');
    await settled();
    works.end('b@y');
    await settled();
    expect(done.map(({ index, verdict }) => [index, verdict?.email])).toEqual([
      [9, 'c@z'],
      [8, 'b@y'],
      [10, 'b@y'],
    ]);
    expect([rows.open(), results.rows]).toEqual([['slow@x'], []]);
    works.end('slow@x');
    await results.ended;
    expect(rows.open()).toEqual([]);
  });

  it('marks duplicates only if it is asked to, with the address of the first row', async () => {
    for (const marksDuplicates of [true, false]) {
      const verifications = new Verifications();
      const options = verifications.options({ marksDuplicates });
      const { rows, ended } = collect(verifyInOrder(inBatchesOf(1, ['A@x', 'b@x', 'a@x']), 0, options));
      await settled();
      expect(verifications.started).toEqual(['A@x', 'b@x']);
      verifications.end('A@x', 'b@x');
      await ended;
      const marked = rows.map(({ duplicateOf, verdict }) => [duplicateOf, verdict?.email]);
      const last = marksDuplicates ? ['A@x', 'a@x'] : [undefined, 'A@x'];
      expect(marked).toEqual([[undefined, 'A@x'], [undefined, 'b@x'], last]);
    }
  });

  it('does not verify a row that is kept, and yields it in its place', async () => {
    const works = new Verifications();
    const emails = ['a@x', 'b@y', 'c@z', 'd@z'];
    const isKept = (index: number) => index === 5 || index === 7;
    const results = collect(verifyInOrder(inBatchesOf(2, emails), 4, works.options({ isKept })));
    await settled();
    works.end('a@x', 'c@z');
    await results.ended;
    expect(works.started).toEqual(['a@x', 'c@z']);
    expect(results.rows.map(({ index, verdict }) => [index, verdict?.email])).toEqual([
      [4, 'a@x'],
      [5, undefined],
      [6, 'c@z'],
      [7, undefined],
    ]);
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
    let free = () => {};
    const servers = new Promise<void>((resolve) => (free = resolve));
    const works = new Verifications((email) => (email === 'a@x' ? Promise.resolve() : servers));
    for await (const rows of verifyInOrder(inBatchesOf(3, ['a@x', 'b@x', 'c@x']), 0, {
      ...works.options(),
      verify: (email, signal) => {
        const verdict = works.options().verify(email, signal);
        void setImmediate().then(() => works.end(email));
        return verdict;
      },
    })) {
      expect(rows[0]?.email).toBe('a@x');
      break;
    }
    free();
    await settled();
    expect(works.started).toEqual(['a@x']);
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
