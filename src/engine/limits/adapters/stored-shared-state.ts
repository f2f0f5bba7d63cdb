import type { Clock } from '../../../kernel/clock.js';
import { LruCache } from '../../../platform/memory/lru-cache.js';
import {
  SharedState,
  type SharedKind,
  type FactStore,
  type ReceivedEntry,
  type SharedEntry,
} from '../shared-state.js';

/** A fact waits for at most one interval to be written, and for another one to be read. */
const INTERVAL_MS = 1_500;
/** Facts in one request. */
const MAX_BATCH = 1_000;
/** Facts that wait to be written. More are dropped: sharing them is an optimization. */
const MAX_WAITING = 20_000;
/** Maximum number of recently received versions that are stored, to ignore repeated facts. */
const MAX_VERSIONS = 20_000;

export interface StoredSharedStateOptions {
  store: FactStore;
  /** Identifies the process; unique. */
  process: string;
  clock: Clock;
  intervalMs?: number;
}

/** Exchanges facts through a store: one request at a time and in each interval, for all kinds. */
export class StoredSharedState extends SharedState {
  private readonly waiting = new Map<string, SharedEntry & { untilMs: number }>();
  private readonly listeners = new Map<SharedKind, ((fact: ReceivedEntry) => void)[]>();
  private readonly versions = new LruCache<string, string>(MAX_VERSIONS);
  private cursor: string | null = null;
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;

  constructor(private readonly options: StoredSharedStateOptions) {
    super();
  }

  /** Facts that were not written yet. */
  get waitingCount(): number {
    return this.waiting.size;
  }

  publish(fact: SharedEntry): void {
    const id = `${fact.kind} ${fact.key}`;
    if (!this.waiting.has(id) && this.waiting.size >= MAX_WAITING) return;
    this.waiting.set(id, { ...fact, untilMs: this.options.clock.monotonicMs() + fact.ttlMs });
  }

  subscribe(kind: SharedKind, onEntry: (fact: ReceivedEntry) => void): void {
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

  /** Does nothing while the last exchange is running. If it fails, its facts are written by the next one. */
  exchange(): Promise<void> {
    this.running ??= this.run()
      .catch(() => undefined)
      .finally(() => (this.running = null));
    return this.running;
  }

  private async run(): Promise<void> {
    for (let isLast = false; !isLast || this.waiting.size >= MAX_BATCH;) {
      const batch = [...this.waiting].slice(0, MAX_BATCH);
      const nowMs = this.options.clock.monotonicMs();
      const facts = batch.map(([, { kind, key, value, untilMs }]) => ({
        kind,
        key,
        value,
        ttlMs: Math.max(1, Math.round(untilMs - nowMs)),
      }));
      const page = await this.options.store.exchange(this.options.process, facts, this.cursor);
      for (const [id, fact] of batch) if (this.waiting.get(id) === fact) this.waiting.delete(id);
      this.cursor = page.cursor;
      isLast = page.isLast;
      for (const fact of page.facts) this.receive(fact);
    }
  }

  private receive({ version, ...fact }: ReceivedEntry & { version: string }): void {
    const id = `${fact.kind} ${fact.key}`;
    if (this.versions.get(id) === version) return;
    this.versions.set(id, version);
    for (const listener of this.listeners.get(fact.kind) ?? []) listener(fact);
  }
}
