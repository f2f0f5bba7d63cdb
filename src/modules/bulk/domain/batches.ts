/**
 * Joins small pieces into batches for the database. A batch ends with the piece that fills it.
 *
 * @param items the number of items of a full batch.
 * @param limit also the sum of their sizes.
 */
export async function* inBatches<T>(
  pieces: AsyncIterable<readonly T[]>,
  items: number,
  { size: fullSize, sizeOf }: { size: number; sizeOf: (item: T) => number } = { size: 1, sizeOf: () => 0 },
): AsyncGenerator<readonly T[], void, undefined> {
  let batch: T[] = [];
  let size = 0;
  for await (const piece of pieces) {
    for (const item of piece) {
      batch.push(item);
      size += sizeOf(item);
    }
    if (batch.length < items && size < fullSize) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}
