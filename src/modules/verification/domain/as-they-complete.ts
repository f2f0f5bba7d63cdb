/**
 * Does a piece of work for each item, so many at once, and yields the results as they
 * are there. Takes the next item only when a result was taken: what reads slowly is
 * not run over. Leaving the loop early takes no further item.
 */
export async function* asTheyComplete<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  concurrency: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const underWay = new Set<Promise<void>>();
  const done: R[] = [];
  const failures: unknown[] = [];
  let exhausted = false;
  try {
    for (;;) {
      while (!exhausted && underWay.size + done.length < concurrency) {
        const next = await source.next();
        if (next.done === true) {
          exhausted = true;
          break;
        }
        const task: Promise<void> = work(next.value)
          .then(
            (result) => void done.push(result),
            (error: unknown) => void failures.push(error),
          )
          .finally(() => underWay.delete(task));
        underWay.add(task);
      }
      if (done.length === 0) {
        if (underWay.size === 0) return;
        await Promise.race(underWay);
      }
      if (failures.length > 0) throw failures[0];
      yield* done.splice(0);
    }
  } finally {
    if (!exhausted) await source.return?.();
  }
}
