import { describe, expect, it } from '@jest/globals';
import { FairQueue } from './fair-queue.js';

function filled(...items: string[]): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const item of items) queue.add(item.charAt(0), item);
  return queue;
}

describe('a fair queue', () => {
  it('lets owners take turns, each with its own oldest first', () => {
    expect(filled('a1', 'a2', 'a3', 'b1', 'c1', 'c2').takeAll()).toEqual([
      'a1',
      'b1',
      'c1',
      'a2',
      'c2',
      'a3',
    ]);
  });

  it('makes who comes late wait for one of each other owner, not for all they have', () => {
    const queue = filled('a1', 'a2', 'a3');
    queue.take();
    queue.add('b', 'b1');
    expect([queue.take(), queue.take()]).toEqual(['a2', 'b1']);
  });

  it('counts what waits, and has nothing when empty', () => {
    const queue = filled('a1', 'b1');
    expect([queue.size, queue.take(), queue.take(), queue.take(), queue.size]).toEqual([
      2,
      'a1',
      'b1',
      null,
      0,
    ]);
  });

  it('takes back what was put back before the rest of its owner', () => {
    const queue = filled('a1', 'a2');
    queue.putBack('a', queue.take() ?? '');
    expect(queue.takeAll()).toEqual(['a1', 'a2']);
  });

  it('removes what waits, and only that', () => {
    const queue = filled('a1', 'a2', 'b1');
    expect([queue.remove('a', 'a1'), queue.remove('a', 'a1'), queue.remove('c', 'c1')]).toEqual([
      true,
      false,
      false,
    ]);
    expect([queue.size, queue.takeAll()]).toEqual([2, ['a2', 'b1']]);
  });
});
