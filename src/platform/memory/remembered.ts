import { LRUCache } from 'lru-cache';
import type { Clock } from '../../kernel/clock.js';

/** Whatever a process remembers of keys, tiers and lists must be forgotten before the contract's 5 s are over. */
const REMEMBERED_MS = 4_000;

interface Entry<V> {
  value: Promise<V>;
  /** When the asking began: what was true then may not be true later. */
  askedAtMs: number;
}

/**
 * What a process remembers of the database, for 4 s from before it asked, and
 * never beyond because the database is silent: then the question fails.
 * Askers of the same question share one look-up.
 */
export class Remembered<V> {
  private readonly entries: LRUCache<string, Entry<V>>;

  /** @param most entries kept; the longest unused goes first. */
  constructor(
    private readonly clock: Clock,
    most: number,
  ) {
    this.entries = new LRUCache({ max: most });
  }

  get(key: string, ask: () => Promise<V>): Promise<V> {
    const nowMs = this.clock.monotonicMs();
    const known = this.entries.get(key);
    if (known !== undefined && nowMs - known.askedAtMs < REMEMBERED_MS) return known.value;
    const entry: Entry<V> = { value: ask(), askedAtMs: nowMs };
    this.entries.set(key, entry);
    // A failure is told to those who asked, and not remembered.
    entry.value.catch(() => {
      if (this.entries.peek(key) === entry) this.entries.delete(key);
    });
    return entry.value;
  }

  /** For what this process itself has changed: it need not wait. */
  forget(key: string): void {
    this.entries.delete(key);
  }
}
