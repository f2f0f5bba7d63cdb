import type { Clock } from '../../kernel/clock.js';
import { RequestTimeout } from '../http/problems/problems.js';

/** A body gets a thread with this many bytes, or with all that it has. */
const FIRST_BYTES = 65_536;
/** A body that arrives more slowly gives way when others wait. */
const SLOWEST = { bytesPerSecond: 20_000, graceMs: 5_000 };
const GIVES_WAY = `The body arrived at less than ${SLOWEST.bytesPerSecond} bytes a second, and others were waiting. Send it again, faster or in parts.`;

/** A body while it arrives. */
export class ArrivingBody {
  private readonly source: AsyncIterator<Buffer>;
  /** The beginning, until it is read. */
  private readonly first: Buffer[] = [];
  private isWhole = false;
  private received = 0;
  private waitedMs = 0;
  private waitsSinceMs: number | null = null;
  /** Why the rest is not read: its sender has gone, nobody waits for it, or it gave way. */
  private failure: Error | null = null;
  /** Of results that are waited for. */
  private readonly interrupts = new Set<(failure: Error) => void>();

  constructor(
    source: AsyncIterable<Buffer>,
    private readonly clock: Clock,
    private readonly signal?: AbortSignal,
  ) {
    this.source = source[Symbol.asyncIterator]();
    signal?.addEventListener('abort', this.onAbort, { once: true });
    if (signal?.aborted === true) this.onAbort();
  }

  /** Bytes in memory before it has a thread. */
  get firstBytes(): number {
    return this.first.reduce((sum, { length }) => sum + length, 0);
  }

  /** Receives the beginning. */
  async begin(): Promise<void> {
    while (!this.isWhole && this.received < FIRST_BYTES) {
      const piece = await this.receive();
      if (piece !== null) this.first.push(piece);
    }
  }

  /** @returns null: that was all. */
  next(): Promise<Buffer | null> {
    const piece = this.first.shift();
    if (piece !== undefined) return Promise.resolve(piece);
    return this.isWhole ? Promise.resolve(null) : this.receive();
  }

  /** @throws when the body fails before the result is there. */
  unlessFailed<T>(result: Promise<T>): Promise<T> {
    if (this.failure !== null) return Promise.reject(this.failure);
    // Not by a race with one promise for the whole body, which would keep the reactions of all of them.
    return new Promise<T>((resolve, reject) => {
      this.interrupts.add(reject);
      const settled = () => this.interrupts.delete(reject);
      result.finally(settled).then(resolve, reject);
    });
  }

  /** How much longer than allowed its sender was waited for. Positive: it may have to give way. */
  lateMs(): number {
    const nowMs = this.clock.monotonicMs();
    const waitedMs = this.waitedMs + (this.waitsSinceMs === null ? 0 : nowMs - this.waitsSinceMs);
    return waitedMs - SLOWEST.graceMs - (this.received / SLOWEST.bytesPerSecond) * 1_000;
  }

  giveWay(): void {
    this.fail(new RequestTimeout(GIVES_WAY));
  }

  /** Ends the reading. */
  fail(failure: Error): void {
    this.failure ??= failure;
    for (const interrupt of this.interrupts) interrupt(this.failure);
  }

  close(): void {
    this.signal?.removeEventListener('abort', this.onAbort);
    // Not awaited: it waits for a chunk that may never arrive.
    void this.source.return?.().catch(() => undefined);
  }

  private readonly onAbort = (): void => {
    const reason: unknown = this.signal?.reason;
    this.fail(reason instanceof Error ? reason : new Error('Nobody waits for the body'));
  };

  private async receive(): Promise<Buffer | null> {
    this.waitsSinceMs = this.clock.monotonicMs();
    try {
      const next = await this.unlessFailed(this.source.next());
      this.isWhole = next.done === true;
      if (next.done === true) return null;
      this.received += next.value.length;
      return next.value;
    } catch (error) {
      this.fail(error as Error);
      throw error;
    } finally {
      this.waitedMs += this.clock.monotonicMs() - this.waitsSinceMs;
      this.waitsSinceMs = null;
    }
  }
}
