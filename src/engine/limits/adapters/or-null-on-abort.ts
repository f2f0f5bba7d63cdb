import { setMaxListeners } from 'node:events';

/** @returns null when `signal` aborts before the work is done. */
export function orNullOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  if (signal.aborted) return Promise.resolve(null);
  setMaxListeners(0, signal); // a bulk chunk waits for hundreds of responses under one signal
  return new Promise((resolve, reject) => {
    const onAbort = () => resolve(null);
    signal.addEventListener('abort', onAbort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
