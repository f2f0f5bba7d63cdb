/** Joins small pieces into batches for the database. */
export async function* inBatches<T>(
  pieces: AsyncIterable<readonly T[]>,
  minSize: number,
): AsyncGenerator<readonly T[], void, undefined> {
  let batch: T[] = [];
  for await (const piece of pieces) {
    for (const each of piece) batch.push(each);
    if (batch.length < minSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
