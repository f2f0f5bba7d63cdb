import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../kernel/clock.js';
import type { SharedStateStore } from '../shared-state-store.js';
import { SharedState, type SharedKind, type ReceivedEntry, type SharedEntry } from '../shared-state.js';

/** An entry waits for at most one interval to be written, and for another one to be read. */
const INTERVAL_MS = 1_500;
/** Entries in one request. */
const MAX_BATCH = 1_000;
/** Entries that wait to be written. More are dropped: sharing them is an optimization. */
const MAX_WAITING = 20_000;
/** Maximum number of recently received versions that are stored, to ignore repeated entries. */
const MAX_VERSIONS = 20_000;

export interface StoredSharedStateOptions {
  store: SharedStateStore;
  /** Identifies the process; unique. */
  process: string;
  clock: Clock;
  intervalMs?: number;
  /** Called when exchanges begin to fail, and with null when one succeeds again. */
  onChange?: (error: unknown) => void;
}

/** Exchanges entries through a store: one request at a time and in each interval, for all kinds. */
export class StoredSharedState extends SharedState {
  private readonly waiting = new Map<string, SharedEntry & { untilMs: number }>();
  private readonly listeners = new Map<SharedKind, ((entry: ReceivedEntry) => void)[]>();
  private readonly versions = new LRUCache<string, string>({ max: MAX_VERSIONS });
  private cursor: string | null = null;
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private isFailing = false;

  constructor(private readonly options: StoredSharedStateOptions) {
    super();
  }

  /** Entries that were not written yet. */
  get waitingCount(): number {
    return this.waiting.size;
  }

  publish(entry: SharedEntry): void {
    const id = `${entry.kind} ${entry.key}`;
    if (!this.waiting.has(id) && this.waiting.size >= MAX_WAITING) return;
    this.waiting.set(id, { ...entry, untilMs: this.options.clock.monotonicMs() + entry.ttlMs });
  }

  subscribe(kind: SharedKind, onEntry: (entry: ReceivedEntry) => void): void {
    this.listeners.set(kind, [...(this.listeners.get(kind) ?? []), onEntry]);
  }

  override start(): void {
    const { intervalMs = INTERVAL_MS } = this.options;
    this.timer ??= setInterval(() => void this.exchange(), intervalMs).unref();
    void this.exchange();
  }

  override async close(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    await this.running;
    if (this.waiting.size > 0) await this.exchange();
  }

  /** Does nothing while the last exchange is running. If it fails, its entries are written by the next one. */
  exchange(): Promise<void> {
    this.running ??= this.run()
      .then(() => this.report(null))
      .catch((error: unknown) => this.report(error))
      .finally(() => (this.running = null));
    return this.running;
  }

  private report(error: unknown): void {
    const isFailing = error !== null;
    if (isFailing !== this.isFailing) this.options.onChange?.(error);
    this.isFailing = isFailing;
  }

  private async run(): Promise<void> {
    let failure: unknown = null;
    for (let isLast = false; !isLast || this.waiting.size >= MAX_BATCH;) {
      const batch = [...this.waiting].slice(0, MAX_BATCH);
      const nowMs = this.options.clock.monotonicMs();
      const entries = batch.map(([, { kind, key, value, untilMs }]) => ({
        kind,
        key,
        value,
        ttlMs: Math.max(1, Math.round(untilMs - nowMs)),
      }));
      const page = await this.options.store.exchange(this.options.process, entries, this.cursor);
      for (const [id, entry] of batch) if (this.waiting.get(id) === entry) this.waiting.delete(id);
      isLast = page.isLast;
      // A bug in a listener does not withhold the other entries.
      for (const entry of page.entries) {
        const error = this.receive(entry);
        failure ??= error;
      }
      this.cursor = page.cursor;
    }
    if (failure !== null)
      throw new Error('an entry of another process could not be applied', { cause: failure });
  }

  /** @returns the error of a listener; null: none failed. */
  private receive({ version, ...entry }: ReceivedEntry & { version: string }): unknown {
    const id = `${entry.kind} ${entry.key}`;
    if (this.versions.get(id) === version) return null;
    this.versions.set(id, version);
    try {
      for (const listener of this.listeners.get(entry.kind) ?? []) listener(entry);
      return null;
    } catch (error) {
      return error;
    }
  }
}
