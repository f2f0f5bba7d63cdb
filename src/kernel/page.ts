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
