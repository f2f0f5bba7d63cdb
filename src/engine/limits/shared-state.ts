/** Entries about mail servers that processes share. */
export type SharedKind = 'limits' | 'rejection' | 'breaker_outcome' | 'breaker_pause' | 'catch_all';

export interface SharedEntry {
  kind: SharedKind;
  /** Identifies the entry within its kind; a later one replaces it. */
  key: string;
  value: unknown;
  /** How long it is valid, in milliseconds from now. */
  ttlMs: number;
}

export interface ReceivedEntry extends SharedEntry {
  /** Since it was stored. */
  ageMs: number;
}

/** Port: exchanges entries between processes, within five seconds. */
export abstract class SharedState {
  /** Publish changes only. */
  abstract publish(entry: SharedEntry): void;

  /** @param onEntry is called for each entry of another process, and at the start for all that are valid. */
  abstract subscribe(kind: SharedKind, onEntry: (entry: ReceivedEntry) => void): void;

  start(): void {}

  async close(): Promise<void> {}
}

/** A process that shares nothing. */
export const NO_SHARED_STATE: SharedState = new (class extends SharedState {
  publish(): void {}
  subscribe(): void {}
})();
