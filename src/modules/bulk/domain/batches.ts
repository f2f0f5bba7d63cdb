/** Joins small pieces until they are worth a trip to the database. */
export async function* inBatches<T>(
  pieces: AsyncIterable<readonly T[]>,
  least: number,
): AsyncGenerator<readonly T[], void, undefined> {
  let batch: T[] = [];
  for await (const piece of pieces) {
    for (const each of piece) batch.push(each);
    if (batch.length < least) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
