/**
 * Maps items with limited concurrency and yields results as they complete, also while the source is slow. The
 * next item is read only after a result was consumed, so the consumer controls the pace. Leaving the loop early
 * reads no further item.
 *
 * @param signal ends it with its reason, also while the source is slow. If it has aborted, nothing is read.
 */
export async function* mapConcurrently<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  concurrency: number,
  work: (item: T) => Promise<R>,
  signal?: AbortSignal,
): AsyncGenerator<R, void, undefined> {
  for await (const results of mapInGroups(items, concurrency, work, signal)) yield* results;
}

/** The same, but yields together the results that are complete: a mail server replies about many recipients at once. */
export async function* mapInGroups<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  concurrency: number,
  work: (item: T) => Promise<R>,
  signal?: AbortSignal,
): AsyncGenerator<readonly R[], void, undefined> {
  signal?.throwIfAborted();
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const done: R[] = [];
  const failures: unknown[] = [];
  let running = 0;
  let isReading = false;
  let isExhausted = false;
  let isClosed = false;
  // A single waiter, independent of the number of running items: `Promise.race` would add handlers to
  // all of them on every wait.
  let wake = () => undefined as void;
  const begin = async (item: T) => {
    running += 1;
    try {
      done.push(await work(item));
    } catch (error) {
      failures.push(error);
    }
    running -= 1;
    wake();
  };
  // Results do not wait for a slow source.
  const read = async () => {
    isReading = true;
    try {
      const next = await source.next();
      if (next.done === true) isExhausted = true;
      else if (!isClosed) void begin(next.value);
    } catch (error) {
      isExhausted = true;
      failures.push(error);
    }
    isReading = false;
    wake();
  };
  const abort = () => {
    failures.push(signal?.reason);
    wake();
  };
  signal?.addEventListener('abort', abort, { once: true });
  try {
    for (;;) {
      if (failures.length > 0) throw failures[0];
      // Also with a concurrency of 0, which is that of a list without items.
      const isBusy = running + done.length >= Math.max(1, concurrency);
      if (!isExhausted && !isReading && !isBusy) void read();
      if (done.length > 0) yield done.splice(0);
      else if (isExhausted && running === 0) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    isClosed = true;
    signal?.removeEventListener('abort', abort);
    // A source that is being read ends later.
    const closing = isExhausted ? undefined : source.return?.();
    if (!isReading) await closing;
    else void Promise.resolve(closing).catch(() => undefined);
  }
}
