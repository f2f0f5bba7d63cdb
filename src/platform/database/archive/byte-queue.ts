/** Bytes that have arrived in parts of any size and are taken in others. */
export class ByteQueue {
  private parts: Buffer[] = [];
  private first = 0;
  private size = 0;

  get length(): number {
    return this.size;
  }

  push(part: Buffer): void {
    this.parts.push(part);
    this.size += part.length;
  }

  /** @param count at most `length`. */
  take(count: number): Buffer {
    const taken: Buffer[] = [];
    for (let left = count; left > 0;) {
      const part = this.parts[this.first] ?? Buffer.alloc(0);
      const piece = part.subarray(0, left);
      taken.push(piece);
      left -= piece.length;
      if (piece.length === part.length) this.first++;
      else this.parts[this.first] = part.subarray(piece.length);
    }
    this.size -= count;
    // Not at each part: many small ones arrive for one that is taken.
    if (this.first > 1_000 || this.first === this.parts.length) {
      this.parts = this.parts.slice(this.first);
      this.first = 0;
    }
    return taken.length === 1 ? (taken[0] as Buffer) : Buffer.concat(taken, count);
  }
}

/** Blocks of exactly `size` bytes; the last one may be shorter. */
export async function* blocksOf(source: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  const queue = new ByteQueue();
  for await (const part of source) {
    queue.push(part);
    while (queue.length >= size) yield queue.take(size);
  }
  if (queue.length > 0) yield queue.take(queue.length);
}
