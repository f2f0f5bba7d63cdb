import type { Clock } from '../../../kernel/clock.js';

/** An item and the callbacks of its promise. */
interface Entry<T> {
  item: T;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** The items of a key that wait for the next write. */
interface Waiting<T> {
  entries: Entry<T>[];
  size: number;
  /** Ends the time of collection. */
  full: AbortController;
}

export interface Collection<T> {
  /** Items are collected for this time before a write. */
  ms: number;
  /** The size of a write, which begins as soon as it is reached. */
  size: number;
  sizeOf: (item: T) => number;
}

/**
 * Batches writes by key: items are collected for a short time and written together. A key has one write at a
 * time.
 */
export class BatchWriter<T> {
  private readonly waiting = new Map<string, Waiting<T>>();

  constructor(
    private readonly write: (key: string, items: readonly T[]) => Promise<void>,
    private readonly collection: Collection<T>,
    private readonly clock: Clock,
  ) {}

  /** Resolves once the item is written. */
  add(key: string, item: T): Promise<void> {
    return new Promise((resolve, reject) => {
      const known = this.waiting.get(key);
      const waiting = known ?? { entries: [], size: 0, full: new AbortController() };
      waiting.entries.push({ item, resolve, reject });
      waiting.size += this.collection.sizeOf(item);
      if (waiting.size >= this.collection.size) waiting.full.abort();
      if (known !== undefined) return;
      this.waiting.set(key, waiting);
      void this.writeAll(key, waiting);
    });
  }

  private async writeAll(key: string, waiting: Waiting<T>): Promise<void> {
    while (waiting.entries.length > 0) {
      await this.clock.pause(this.collection.ms, waiting.full.signal);
      const group = this.takeFrom(waiting);
      await this.writeGroup(key, group);
    }
    this.waiting.delete(key);
  }

  private takeFrom(waiting: Waiting<T>): Entry<T>[] {
    const { size: max, sizeOf } = this.collection;
    let size = 0;
    let count = 0;
    while (count < waiting.entries.length && (count === 0 || size < max))
      size += sizeOf(waiting.entries[count++]!.item);
    waiting.size -= size;
    if (waiting.size < max) waiting.full = new AbortController();
    return waiting.entries.splice(0, count);
  }

  /** A failure may be caused by one item, so each is then written by itself. */
  private async writeGroup(key: string, group: readonly Entry<T>[]): Promise<void> {
    try {
      await this.write(
        key,
        group.map(({ item }) => item),
      );
      for (const { resolve } of group) resolve();
    } catch (error) {
      if (group.length === 1) return group[0]?.reject(error);
      for (const entry of group) await this.writeGroup(key, [entry]);
    }
  }
}
