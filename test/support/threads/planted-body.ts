import { InvalidRequest } from '../../../src/kernel/errors.js';
import { bodyReader } from '../../../src/platform/threads/body-reader.js';

export const PLANTED = bodyReader<typeof import('./planted.thread.js')>(
  import.meta.resolve('./planted.thread.js'),
  [InvalidRequest],
);

/** A body whose pieces a test sends. */
export class PlantedBody implements AsyncIterable<Buffer> {
  /** Whether its reader has closed it. */
  isClosed = false;
  private readonly arrived: (Buffer | Error | null)[] = [];
  private onArrival = () => {};

  send(...pieces: (string | Buffer)[]): this {
    return this.add(...pieces.map((piece) => Buffer.from(piece)));
  }

  end(): this {
    return this.add(null);
  }

  fail(error: Error): this {
    return this.add(error);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void> {
    try {
      for (;;) {
        while (this.arrived.length === 0) await new Promise<void>((resolve) => (this.onArrival = resolve));
        const next = this.arrived.shift() ?? null;
        if (next instanceof Error) throw next;
        if (next === null) return;
        yield next;
      }
    } finally {
      this.isClosed = true;
    }
  }

  private add(...items: (Buffer | Error | null)[]): this {
    this.arrived.push(...items);
    this.onArrival();
    return this;
  }
}
