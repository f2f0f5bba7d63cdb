export interface BatchOptions<Item, Result> {
  /** @returns a result for each item, in their order, if items have results. */
  write: (items: readonly Item[], key: string) => Promise<[Result] extends [void] ? void : readonly Result[]>;
  /**
   * Items of a key are collected for this time before a write. Default 0: the first is written at once, and those
   * that are added meanwhile are written together next. `Infinity`: until the size is reached, or `flush`.
   */
  collectMs?: number;
  /** The size of a write, which begins as soon as it is reached. Default: no limit. */
  maxSize?: number;
  /** Default: 1. */
  sizeOf?: (item: Item) => number;
  /** Waiting items of the same id are merged. Default: none are. */
  idOf?: (item: Item) => unknown;
  /** Default: the later one. */
  merge?: (earlier: Item, later: Item) => Item;
  /** One item may be the cause of a failure: then each of the batch is written again by itself. */
  retriesEach?: boolean;
}

interface Entry<Item, Result> {
  item: Item;
  readonly result: Promise<Result>;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

interface Group<Item, Result> {
  /** In the order in which they were added. */
  readonly waiting: Map<unknown, Entry<Item, Result>>;
  /** Of those that wait. */
  size: number;
  /** The number of waiting items that are written without further collection. */
  flushed: number;
  writing: readonly Entry<Item, Result>[];
  endCollection(): void;
}

/**
 * Writes items together, by key. A key has one write at a time; keys do not wait for each other. An item fails
 * with the write that contains it. What waits is in memory only: a process that is killed loses it, and a caller
 * that must not exceed a bound compares `waiting` with it before it adds. Timers do not keep a process running.
 */
export class BatchedWriter<Item, Result = void> {
  /** Keys whose items wait or are being written. */
  private readonly groups = new Map<string, Group<Item, Result>>();
  private isClosed = false;

  private readonly options: Required<BatchOptions<Item, Result>>;

  constructor(options: BatchOptions<Item, Result>) {
    this.options = {
      collectMs: 0,
      maxSize: Number.POSITIVE_INFINITY,
      sizeOf: () => 1,
      idOf: () => Symbol(),
      merge: (_, later) => later,
      retriesEach: false,
      ...options,
    };
  }

  get waiting(): number {
    return this.allGroups.reduce((sum, { waiting }) => sum + waiting.size, 0);
  }

  /** @returns the item's result, once it is written; a caller need not wait. @throws when its write fails. */
  add(key: string, item: Item): Promise<Result> {
    const known = this.groups.get(key);
    const group = known ?? {
      waiting: new Map(),
      size: 0,
      flushed: 0,
      writing: [],
      endCollection: () => undefined,
    };
    const entry = this.put(group, item);
    if (this.isFull(group)) group.endCollection();
    if (known === undefined) {
      this.groups.set(key, group);
      void this.writeAll(key, group);
    }
    return entry.result;
  }

  /** Writes what waits, of one key or of all. @throws when one of these writes, or one that is running, fails. */
  async flush(key?: string): Promise<void> {
    const groups = [...this.groups]
      .filter(([name]) => key === undefined || name === key)
      .map(([, group]) => group);
    const entries = groups.flatMap(({ writing, waiting }) => [...writing, ...waiting.values()]);
    for (const group of groups) {
      group.flushed = group.waiting.size;
      group.endCollection();
    }
    await Promise.all(entries.map(({ result }) => result));
  }

  /** Writes what waits. What is collected afterwards waits for `flush`, without a timer. */
  close(): Promise<void> {
    this.isClosed = true;
    return this.flush();
  }

  private get allGroups(): Group<Item, Result>[] {
    return [...this.groups.values()];
  }

  private put(group: Group<Item, Result>, item: Item): Entry<Item, Result> {
    const { idOf, merge, sizeOf } = this.options;
    const id = idOf(item);
    const entry = group.waiting.get(id);
    if (entry === undefined) {
      const added = entryOf<Item, Result>(item);
      group.waiting.set(id, added);
      group.size += sizeOf(item);
      return added;
    }
    group.size -= sizeOf(entry.item);
    entry.item = merge(entry.item, item);
    group.size += sizeOf(entry.item);
    return entry;
  }

  private async writeAll(key: string, group: Group<Item, Result>): Promise<void> {
    const { collectMs } = this.options;
    while (group.waiting.size > 0) {
      // Without an `await` where nothing is collected: the first item is written at once.
      if (collectMs > 0 && group.flushed === 0 && !this.isFull(group)) await this.collect(group, collectMs);
      group.writing = this.dequeueFrom(group);
      await this.write(key, group.writing);
      group.writing = [];
    }
    this.groups.delete(key);
  }

  private collect(group: Group<Item, Result>, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const hasTimer = !this.isClosed && Number.isFinite(ms);
      const timer = hasTimer ? setTimeout(resolve, ms).unref() : undefined;
      group.endCollection = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private isFull({ size }: Group<Item, Result>): boolean {
    return size >= this.options.maxSize;
  }

  private dequeueFrom(group: Group<Item, Result>): Entry<Item, Result>[] {
    const { maxSize, sizeOf } = this.options;
    const dequeued: Entry<Item, Result>[] = [];
    let size = 0;
    for (const [id, entry] of group.waiting) {
      if (size >= maxSize) break;
      size += sizeOf(entry.item);
      dequeued.push(entry);
      group.waiting.delete(id);
    }
    group.size -= size;
    group.flushed = Math.max(0, group.flushed - dequeued.length);
    return dequeued;
  }

  private async write(key: string, entries: readonly Entry<Item, Result>[]): Promise<void> {
    try {
      const items = entries.map(({ item }) => item);
      const results = (await this.options.write(items, key)) as readonly Result[] | undefined;
      for (const [n, entry] of entries.entries()) entry.resolve(results?.[n] as Result);
    } catch (error) {
      if (this.options.retriesEach && entries.length > 1)
        for (const entry of entries) await this.write(key, [entry]);
      else for (const entry of entries) entry.reject(error);
    }
  }
}

function entryOf<Item, Result>(item: Item): Entry<Item, Result> {
  const callbacks = {} as Pick<Entry<Item, Result>, 'resolve' | 'reject'>;
  const result = new Promise<Result>((resolve, reject) => Object.assign(callbacks, { resolve, reject }));
  // A caller need not wait.
  result.catch(() => undefined);
  return { item, result, ...callbacks };
}
