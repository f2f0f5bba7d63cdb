import type { ListId } from '../../../kernel/ids.js';

/** A stored list, as an erasure sees it. */
export interface StoredList {
  listId: ListId;
  /** The id of its job. */
  jobId: string;
  /** False: it is being uploaded or verified. */
  isEnded: boolean;
}

/** Port: deletes one address, under any of its keys, from the lists of all teams. */
export abstract class ListErasureRepository {
  /** Some lists, in order. @param after the last of the previous call; null: from the start. */
  abstract lists(after: ListId | null, limit: number): Promise<StoredList[]>;

  /** The lists among these that contain the address. */
  abstract holding(listIds: readonly ListId[], keys: readonly Buffer[]): Promise<ListId[]>;

  /**
   * Deletes the address, its ref and its verdict from these lists; the rows stay, empty. @returns the
   * number of rows.
   */
  abstract erase(listIds: readonly ListId[], keys: readonly Buffer[]): Promise<number>;
}
