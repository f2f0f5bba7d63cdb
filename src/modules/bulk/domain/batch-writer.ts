/** An item and the callbacks of its promise. */
interface Entry<T> {
  item: T;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Batches writes by key: items that arrive while a write of the same key is running are written
 * together next. No item waits for a batch to fill, and a key has one write at a time.
 */
export class BatchWriter<T> {
  private readonly waiting = new Map<string, Entry<T>[]>();

  constructor(private readonly write: (key: string, items: readonly T[]) => Promise<void>) {}

  /** Resolves once the item is written. */
  add(key: string, item: T): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry = { item, resolve, reject };
      const waiting = this.waiting.get(key);
      if (waiting !== undefined) return void waiting.push(entry);
      this.waiting.set(key, []);
      void this.writeAll(key, [entry]);
    });
  }

  private async writeAll(key: string, first: Entry<T>[]): Promise<void> {
    for (let group = first; group.length > 0; group = this.waiting.get(key) ?? []) {
      this.waiting.set(key, []);
      await this.writeGroup(key, group);
    }
    this.waiting.delete(key);
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
