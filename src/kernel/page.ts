/** A place in a list that is sorted newest first: time alone would skip rows of the same moment. */
export interface Position {
  at: Date;
  id: string;
}

export interface PageRequest {
  /** 1–100. */
  limit: number;
  /** The last row of the page before; null: from the newest. */
  after: Position | null;
}

export interface Page<T> {
  items: T[];
  /** Where the next page begins; null: this was the last. */
  next: Position | null;
}

/**
 * The page in what a repository found. It asks for one row more than the limit,
 * which tells whether there are more without counting them.
 */
export function pageOf<T>(
  found: readonly T[],
  { limit }: PageRequest,
  positionOf: (item: T) => Position,
): Page<T> {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next: found.length > limit && last !== undefined ? positionOf(last) : null };
}
