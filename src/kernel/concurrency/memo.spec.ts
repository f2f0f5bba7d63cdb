import { describe, expect, it } from '@jest/globals';
import { Memo } from './memo.js';

describe('Memo', () => {
  const counted = (max: number) => {
    const computed: string[] = [];
    const memo = new Memo<string | null>(max);
    const get = (key: string) =>
      memo.get(key, () => {
        computed.push(key);
        return key === 'none' ? null : key + key;
      });
    return { computed, get };
  };

  it('computes a result once, also one that is null', () => {
    const { computed, get } = counted(2);
    expect(['a', 'none', 'a', 'none'].map(get)).toEqual(['aa', null, 'aa', null]);
    expect(computed).toEqual(['a', 'none']);
  });

  it('keeps at most the maximum number of results', () => {
    const { computed, get } = counted(2);
    expect(['a', 'b', 'c', 'c', 'a'].map(get)).toEqual(['aa', 'bb', 'cc', 'cc', 'aa']);
    expect(computed).toEqual(['a', 'b', 'c', 'a']);
  });
});
