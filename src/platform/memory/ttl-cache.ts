import { LRUCache } from 'lru-cache';
import type { Clock } from '../../kernel/clock.js';
import type { Soon } from '../../kernel/soon.js';

/** Whatever a process remembers of keys, tiers and lists must be forgotten before the contract's 5 s are over. */
const REMEMBERED_MS = 4_000;

interface Entry<V> {
  value: Soon<V>;
  /** When the asking began: what was true then may not be true later. */
  askedAtMs: number;
}

/**
 * What a process remembers of the database, for 4 s from before it asked, and
 * never beyond because the database is silent: then the question fails.
 * Askers of the same question share one look-up.
 */
export class TtlCache<V> {
  private readonly entries: LRUCache<string, Entry<V>>;

  /** @param most entries kept; the longest unused goes first. */
  constructor(
    private readonly clock: Clock,
    most: number,
  ) {
    this.entries = new LRUCache({ max: most });
  }

  /** At hand once a look-up has ended, and until it is too old. */
  get(key: string, ask: () => Promise<V>): Soon<V> {
    const nowMs = this.clock.monotonicMs();
    const known = this.entries.get(key);
    if (known !== undefined && nowMs - known.askedAtMs < REMEMBERED_MS) return known.value;
    const asking = ask();
    const entry: Entry<V> = { value: asking, askedAtMs: nowMs };
    this.entries.set(key, entry);
    asking.then(
      (value) => {
        entry.value = value;
      },
      // A failure is told to those who asked, and not remembered.
      () => {
        if (this.entries.peek(key) === entry) this.entries.delete(key);
      },
    );
    return asking;
  }

  /** What this process learned otherwise. @param askedAtMs by the monotonic clock, before it asked. */
  put(key: string, value: V, askedAtMs: number): void {
    this.entries.set(key, { value, askedAtMs });
  }

  /** For what this process itself has changed: it need not wait. */
  forget(key: string): void {
    this.entries.delete(key);
  }

  forgetAll(): void {
    this.entries.clear();
  }
}
