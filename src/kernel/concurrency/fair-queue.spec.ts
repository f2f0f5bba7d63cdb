import { describe, expect, it } from '@jest/globals';
import { FairQueue, type Requester } from './fair-queue.js';

/** Single calls are in lower case, rows of lists in upper case. */
function by(item: string): Requester {
  const letter = item.charAt(0);
  const team = letter.toLowerCase();
  return { team, priority: letter === team ? 'single' : 'list' };
}

function filled(...items: string[]): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const item of items) queue.add(by(item), item);
  return queue;
}

describe('a fair queue', () => {
  it('serves teams in turn, each with its oldest item first', () => {
    expect(filled('a1', 'a2', 'a3', 'b1', 'c1', 'c2').dequeueAll()).toEqual([
      'a1',
      'b1',
      'c1',
      'a2',
      'c2',
      'a3',
    ]);
  });

  it('makes a late item wait for one of each other team, not for all they have', () => {
    const queue = filled('a1', 'a2', 'a3');
    queue.dequeue();
    queue.add(by('b'), 'b1');
    expect([queue.dequeue(), queue.dequeue()]).toEqual(['a2', 'b1']);
  });

  it('counts waiting items, and returns null when empty', () => {
    const queue = filled('a1', 'b1');
    expect([queue.size, queue.dequeue(), queue.dequeue(), queue.dequeue(), queue.size]).toEqual([
      2,
      'a1',
      'b1',
      null,
      0,
    ]);
  });

  it('returns requeued items before the rest of their team', () => {
    const queue = filled('a1', 'a2');
    queue.requeue(by('a'), queue.dequeue() ?? '');
    expect(queue.dequeueAll()).toEqual(['a1', 'a2']);
  });

  it('removes a waiting item, and only that', () => {
    const queue = filled('a1', 'a2', 'b1');
    expect([queue.remove(by('a'), 'a1'), queue.remove(by('a'), 'a1'), queue.remove(by('c'), 'c1')]).toEqual([
      true,
      false,
      false,
    ]);
    expect([queue.size, queue.dequeueAll()]).toEqual([2, ['a2', 'b1']]);
  });

  it('returns single calls first, and every fourth time a list item', () => {
    const queue = filled('A1', 'A2', 'a1', 'a2', 'b1', 'B1', 'b2', 'b3', 'b4');
    const expected = ['a1', 'b1', 'a2', 'A1', 'b2', 'b3', 'b4', 'B1', 'A2'];
    expect(queue.dequeueAll()).toEqual(expected);
  });

  it('serves late list items at the same rate', () => {
    const queue = filled('a1', 'a2', 'a3', 'a4', 'a5');
    for (let n = 1; n <= 4; n += 1) queue.dequeue();
    queue.add(by('A'), 'A1');
    expect(queue.dequeueAll()).toEqual(['a5', 'A1']);
  });

  it('skips teams that are not eligible, and keeps their position', () => {
    const queue = filled('a1', 'a2', 'b1', 'c1');
    const taken = [queue.dequeue(({ team }) => team !== 'a'), queue.dequeue(), queue.dequeue(() => false)];
    expect([taken, queue.dequeueAll()]).toEqual([
      ['b1', 'a1', null],
      ['c1', 'a2'],
    ]);
  });

  it('counts the waiting items of a key, single calls and list items separately', () => {
    const queue = filled('a1', 'a2', 'A1', 'b1');
    expect([queue.sizeOf(by('a')), queue.sizeOf(by('A')), queue.sizeOf(by('c'))]).toEqual([2, 1, 0]);
  });
});
