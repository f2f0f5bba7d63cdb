/** A position in a list sorted newest first. The id distinguishes rows with the same time. */
export interface Position {
  at: Date;
  id: string;
}

export interface PageRequest {
  /** 1–100. */
  limit: number;
  /** The last row of the previous page; null: start with the newest. */
  after: Position | null;
}

export interface Page<T> {
  items: T[];
  /** The position after which the next page starts; null: this is the last page. */
  next: Position | null;
}

/** Makes a page from `limit + 1` rows. The extra row shows whether another page exists, without a count. */
export function pageOf<T>(
  found: readonly T[],
  { limit }: PageRequest,
  positionOf: (item: T) => Position,
): Page<T> {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next: found.length > limit && last !== undefined ? positionOf(last) : null };
}
