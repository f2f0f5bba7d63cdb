import { describe, expect, it } from '@jest/globals';
import { GroupCommit } from './group-commit.js';

/** Commits that the test ends. */
function aGroupCommit() {
  const begun: { items: readonly string[]; end(): void; fail(error: Error): void }[] = [];
  const group = new GroupCommit<string, string>(
    (items) =>
      new Promise((resolve, reject) => {
        begun.push({ items, end: () => resolve(items.map((item) => `${item}!`)), fail: reject });
      }),
  );
  return { group, begun, itemsOf: () => begun.map(({ items }) => items) };
}

const settled = () => new Promise(setImmediate);

describe('group commit', () => {
  it('commits the first item at once, and all added meanwhile together', async () => {
    const { group, begun, itemsOf } = aGroupCommit();
    const outcomes = Promise.all(['a', 'b', 'c'].map((item) => group.add('team', item)));
    expect(itemsOf()).toEqual([['a']]);
    begun[0]?.end();
    await settled();
    expect(itemsOf()).toEqual([['a'], ['b', 'c']]);
    begun[1]?.end();
    expect(await outcomes).toEqual(['a!', 'b!', 'c!']);
  });

  it('returns no outcome before the commit has ended', async () => {
    const { group, begun } = aGroupCommit();
    let has = false;
    const added = group.add('team', 'a').then(() => (has = true));
    await settled();
    expect(has).toBe(false);
    begun[0]?.end();
    await added;
  });

  it('does not make keys wait for each other', () => {
    const { group, itemsOf } = aGroupCommit();
    void group.add('one', 'a');
    void group.add('other', 'b');
    expect(itemsOf()).toEqual([['a'], ['b']]);
  });

  it('fails the items of a failed commit, and continues with the next', async () => {
    const { group, begun } = aGroupCommit();
    const failed = [group.add('team', 'a'), group.add('team', 'b')];
    begun[0]?.fail(new Error('first'));
    await expect(failed[0]).rejects.toThrow('first');
    begun[1]?.end();
    expect(await failed[1]).toBe('b!');
    await settled();
    const later = group.add('team', 'c');
    begun[2]?.end();
    expect(await later).toBe('c!');
  });
});
