import { LRUCache } from 'lru-cache';
import type { Clock } from '../../kernel/clock.js';

/** Below 5 s, within which a change of a key, tier or list must take effect in every process. */
const TTL_MS = 4_000;

interface Entry<V> {
  value: Promise<V>;
  /** Monotonic time at which loading started, in ms. The value may have changed since. */
  loadedAtMs: number;
  /** The value, or while it is being loaded the value before. */
  latest: V | undefined;
}

/**
 * Caches database rows in this process for 4 s, counted from the start of the query. Expired entries are
 * not used even if the database does not respond. Concurrent callers share one query.
 */
export class TtlCache<V> {
  private readonly entries: LRUCache<string, Entry<V>>;

  /** @param max entries; the least recently used is evicted first. */
  constructor(
    private readonly clock: Clock,
    max: number,
  ) {
    this.entries = new LRUCache({ max });
  }

  /** @param load called if no valid entry exists. Rejections are passed to the callers and not cached. */
  get(key: string, load: () => Promise<V>): Promise<V> {
    const nowMs = this.clock.monotonicMs();
    const cached = this.entries.get(key);
    if (cached !== undefined && nowMs - cached.loadedAtMs < TTL_MS) return cached.value;
    const entry: Entry<V> = { value: load(), loadedAtMs: nowMs, latest: cached?.latest };
    this.entries.set(key, entry);
    entry.value.then(
      (value) => (entry.latest = value),
      () => {
        if (this.entries.peek(key) === entry) this.entries.delete(key);
      },
    );
    return entry.value;
  }

  /** The last known value, whatever its age. */
  peek(key: string): V | undefined {
    return this.entries.peek(key)?.latest;
  }

  /** Stores a value that was read elsewhere. @param loadedAtMs monotonic time before it was read, in ms. */
  set(key: string, value: V, loadedAtMs: number): void {
    this.entries.set(key, { value: Promise.resolve(value), loadedAtMs, latest: value });
  }

  /** Removes an entry after this process has changed the row. */
  delete(key: string): void {
    this.entries.delete(key);
  }

  /** Removes entries, and those whose value is not known yet. It looks at all. */
  deleteWhere(matches: (value: V) => boolean): void {
    for (const [key, { latest }] of this.entries.entries())
      if (latest === undefined || matches(latest)) this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
  }
}
