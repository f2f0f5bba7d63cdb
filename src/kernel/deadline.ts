import { setMaxListeners } from 'node:events';
import type { Clock } from './clock.js';

/** Without a reason of its own each abort would make an error with a stack. */
const ENDED = new Error('the result is not waited for');

/**
 * Runs work that must end in time.
 *
 * @param ms from now; the work does not begin when none is left.
 * @param signal ends the wait before; null: only the time does.
 * @param work may ask for a signal that aborts when nobody waits any more. What it returns then is ignored.
 * @param clock whose time counts; default: that of the machine.
 * @returns null when the time was over, or the signal aborted, before the result.
 */
export function withDeadline<T>(
  ms: number,
  signal: AbortSignal | null,
  work: (ended: () => AbortSignal) => Promise<T>,
  clock: Pick<Clock, 'pause'> | null = null,
): Promise<T | null> {
  if (ms <= 0 || signal?.aborted === true) return Promise.resolve(null);
  // Made on demand, because a signal costs more than all the rest.
  let deadline: AbortController | null = null;
  const ended = () => (deadline ??= new AbortController()).signal;
  return new Promise((resolve, reject) => {
    const end = () => {
      stop();
      resolve(null);
    };
    const timer = clock === null ? setTimeout(end, ms) : undefined;
    const stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      deadline?.abort(ENDED);
    };
    void clock?.pause(ms, ended()).then(end);
    if (signal !== null) onAbort(signal, end);
    work(ended).then(
      (result) => {
        stop();
        resolve(result);
      },
      (error: Error) => {
        stop();
        reject(error);
      },
    );
  });
}

/** @returns null when the signal aborts before the result. */
export function untilAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T | null> {
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const end = () => resolve(null);
    const stop = () => signal.removeEventListener('abort', end);
    onAbort(signal, end);
    result.finally(stop).then(resolve, reject);
  });
}

function onAbort(signal: AbortSignal, listener: () => void): void {
  // Hundreds of results are waited for under the signal of one list.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', listener, { once: true });
}
