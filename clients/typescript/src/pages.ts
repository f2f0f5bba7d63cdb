import type { Transport } from './transport.js';

const PAGE_ROWS = 100;

interface Page<Item> {
  data: Item[];
  next_cursor: string | null;
}

/** The items of a list, newest first. Reads a page when the previous one is used up. */
export async function* pages<Item>(
  transport: Transport,
  path: string,
  parameters: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | null = null;
  do {
    const query = { ...parameters, limit: PAGE_ROWS, cursor };
    const page = (await transport.call({ method: 'GET', path, query, signal })) as Page<Item>;
    yield* page.data;
    cursor = page.next_cursor;
  } while (cursor !== null);
}
