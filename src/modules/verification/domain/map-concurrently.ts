/**
 * Does a piece of work for each item, so many at once, and yields the results as they
 * are there. Takes the next item only when a result was taken: what reads slowly is
 * not run over. Leaving the loop early takes no further item.
 */
export async function* mapConcurrently<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  concurrency: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const done: R[] = [];
  const failures: unknown[] = [];
  let underWay = 0;
  let exhausted = false;
  // One to wake, however many are under way: racing them all would have each remember every wait.
  let wake = () => undefined as void;
  const begin = async (item: T) => {
    underWay += 1;
    try {
      done.push(await work(item));
    } catch (error) {
      failures.push(error);
    }
    underWay -= 1;
    wake();
  };
  try {
    for (;;) {
      while (!exhausted && underWay + done.length < concurrency) {
        const next = await source.next();
        if (next.done === true) exhausted = true;
        else void begin(next.value);
      }
      if (done.length + failures.length === 0) {
        if (underWay === 0) return;
        await new Promise<void>((resolve) => (wake = resolve));
      }
      if (failures.length > 0) throw failures[0];
      for (const result of done.splice(0)) yield result;
    }
  } finally {
    if (!exhausted) await source.return?.();
  }
}
