/** A position in a list sorted newest first. The id distinguishes rows with the same time. */
export interface Position {
  at: Date;
  id: string;
}

const MAX_PAGE_SIZE = 100;

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
