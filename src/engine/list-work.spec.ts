import { describe, expect, it } from '@jest/globals';
import { ListWork } from './list-work.js';

const DEFERRAL = { low: 300, high: 7_200 };
const capacity = (egress: string | null, connections = 5, probesLeft = Infinity) => ({
  egress,
  connections,
  probesLeft,
});

describe('the time of a list', () => {
  it('is that of its slowest provider', () => {
    const work = new ListWork(1_100);
    work.add('google', capacity('a', 5), 1_000);
    work.add('corp.test', capacity('a', 1), 100);
    expect(work.seconds(null)).toEqual({ low: 20, high: 200 });
  });

  it('is that of one process, where the addresses have many servers or none was looked up', () => {
    const work = new ListWork(10_000);
    for (let n = 0; n < 100; n++) work.add(`corp${n}.test`, capacity('a', 5), 10);
    expect(work.seconds(null)).toEqual({ low: 50, high: 500 });
  });

  it('is shorter with several egresses, each of which has its own sessions', () => {
    const work = new ListWork(1_000);
    work.add('google', capacity('a', 5), 500);
    work.add('google', capacity('b', 2), 500);
    expect(work.seconds(null)).toEqual({ low: 25, high: 250 });
  });

  it('is a second, when no server has to be asked', () => {
    const work = new ListWork(100);
    work.skip(100);
    expect(work.seconds(DEFERRAL)).toEqual({ low: 1, high: 1 });
  });

  it('includes the wait for the addresses that are deferred: of servers that may not be asked now', () => {
    const work = new ListWork(200);
    work.add('google', capacity('a', 5), 100);
    expect(work.seconds(DEFERRAL)).toEqual({ low: 2, high: 20 });
    work.add('corp.test', capacity(null), 100);
    expect(work.seconds(DEFERRAL)).toEqual({ low: 302, high: 7_220 });
    expect(work.seconds(null)).toEqual({ low: 2, high: 20 });
  });

  it('includes it also for addresses above the ceiling of the day', () => {
    const work = new ListWork(100);
    work.add('google', capacity('a', 5, 100), 60);
    work.add('google', capacity('b', 5, 100), 40);
    expect(work.seconds(DEFERRAL)).toEqual({ low: 2, high: 12 });
    work.add('google', capacity('a', 5, 100), 1);
    expect(work.seconds(DEFERRAL)).toEqual({ low: 302, high: 7_213 });
  });
});
