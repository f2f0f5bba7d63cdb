/** A position in a list sorted newest first. The id distinguishes rows with the same time. */
export interface Position {
  at: Date;
  id: string;
}

const MAX_PAGE_SIZE = 100;

/** @typeParam Key by which the rows are sorted. */
export interface PageRequest<Key = Position> {
  /** 1–100. */
  limit: number;
  /** The last row of the previous page; null: start with the first. */
  after: Key | null;
}

/** @typeParam Key as in the request. */
export interface Page<T, Key = Position> {
  items: T[];
  /** The key after which the next page starts; null: this is the last page. */
  next: Key | null;
}

type ListPage<T> = (request: PageRequest) => Promise<Page<T>>;

/** The items of each page, at the pace of the consumer. */
export async function* pagesOf<T>(list: ListPage<T>): AsyncGenerator<T[], void, undefined> {
  for (let after: Position | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
    const page: Page<T> = await list({ limit: MAX_PAGE_SIZE, after });
    yield page.items;
    after = page.next;
  }
}

export async function* itemsOf<T>(list: ListPage<T>): AsyncGenerator<T, void, undefined> {
  for await (const items of pagesOf(list)) yield* items;
}
