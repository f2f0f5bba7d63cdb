/** A list that is kept, as far as an erasure needs to know it. */
export interface KeptList {
  list: string;
  /** Of its job. */
  jobId: string;
  /** False: its rows are still coming in, or are still being verified. */
  isEnded: boolean;
}

/** Port: removes one address from the lists of all teams. */
export abstract class ListErasureRepository {
  /** Some of all lists, in their order. @param after the last of those before; null: the first. */
  abstract lists(after: string | null, limit: number): Promise<KeptList[]>;

  /** Of these lists, those that hold the address. */
  abstract holding(lists: readonly string[], hash: Buffer): Promise<string[]>;

  /** Takes the address, what came with it and its verdict out of these lists; its rows stay, empty. @returns how many rows. */
  abstract erase(lists: readonly string[], hash: Buffer): Promise<number>;
}
