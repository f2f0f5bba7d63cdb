import { getEventListeners } from 'node:events';
import { describe, expect, it, jest } from '@jest/globals';
import { FakeClock } from '../../test/support/time/fake-clock.js';
import { untilAborted, withDeadline } from './deadline.js';

const NEVER = new Promise<string>(() => undefined);

describe('work with a deadline', () => {
  it('has its result, or its error, in time', async () => {
    expect(await withDeadline(1_000, null, async () => 'done')).toBe('done');
    await expect(withDeadline(1_000, null, () => Promise.reject(new Error('failed')))).rejects.toThrow(
      'failed',
    );
  });

  it('has none when the time is over, and its signal aborts', async () => {
    let ended: AbortSignal | null = null;
    const result = await withDeadline(5, null, (signal) => {
      ended = signal();
      return NEVER;
    });
    expect([result, ended!.aborted]).toEqual([null, true]);
  });

  it('has none when its caller aborts, and its signal aborts', async () => {
    const caller = new AbortController();
    let ended: AbortSignal | null = null;
    const result = withDeadline(60_000, caller.signal, (signal) => {
      ended = signal();
      return NEVER;
    });
    caller.abort();
    expect([await result, ended!.aborted]).toEqual([null, true]);
  });

  it.each([
    ['no time is left', 0, new AbortController().signal],
    ['its caller has aborted', 1_000, AbortSignal.abort()],
  ])('does not begin when %s', async (_, ms, signal) => {
    const work = jest.fn(async () => 'done');
    expect(await withDeadline(ms, signal, work)).toBeNull();
    expect(work).not.toHaveBeenCalled();
  });

  it('can be measured by another clock, which has no pause left when the work is done', async () => {
    const clock = new FakeClock();
    const late = withDeadline(1_000, null, () => NEVER, clock);
    await clock.advance(1_000);
    expect(await late).toBeNull();
    expect(await withDeadline(1_000, null, async () => 'done', clock)).toBe('done');
    expect(clock.pausing).toBe(0);
  });

  it('leaves no listener on the signal of its caller', async () => {
    const { signal } = new AbortController();
    await withDeadline(1_000, signal, async () => 'done');
    await untilAborted(Promise.resolve('done'), signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('a result until a signal aborts', () => {
  it('is the result, or its error, before', async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(Promise.resolve('done'), signal)).toBe('done');
    await expect(untilAborted(Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed');
  });

  it('is none after', async () => {
    const caller = new AbortController();
    const result = untilAborted(NEVER, caller.signal);
    caller.abort();
    expect(await result).toBeNull();
    expect(await untilAborted(Promise.resolve('done'), caller.signal)).toBeNull();
  });
});
