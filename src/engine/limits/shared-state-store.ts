import type { ReceivedEntry, SharedEntry } from './shared-state.js';

export interface SharedPage {
  entries: (ReceivedEntry & { version: string })[];
  cursor: string;
  isLast: boolean;
}

/** Port: stores the entries that processes share about mail servers. Times are those of the store. */
export abstract class SharedStateStore {
  /**
   * Writes entries, and reads those of other processes that changed after the cursor, in one round trip.
   * It may return an entry more than once, with the same version.
   *
   * @param cursor null: all valid entries.
   */
  abstract exchange(
    process: string,
    entries: readonly SharedEntry[],
    cursor: string | null,
  ): Promise<SharedPage>;

  /** @returns the number of deleted rows. */
  abstract deleteExpired(): Promise<number>;
}
