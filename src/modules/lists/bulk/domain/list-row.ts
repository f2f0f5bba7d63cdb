import type { ListEntry } from '../../../../kernel/list-files/list-entry.js';

/** A row with the key of its address. */
export interface ListRow extends ListEntry {
  /** In input order, from 0. */
  index: number;
  /** `ListKey.addressKey`; null: the row has no address. */
  addressKey: string | null;
}

/** Longer texts are no addresses; the same limit as elsewhere in the API. */
const MAX_CHARACTERS = 1_000;
/** Rows that an upload stores at a time; fewer if they have many characters. */
const BATCH_ROWS = 4_000;
const BATCH_CHARACTERS = 1_000_000;
/** What an empty cell costs too. */
const CHARACTERS_PER_CELL = 20;

/** The part of a text that is stored. */
export function truncated(text: string): string {
  return text.slice(0, MAX_CHARACTERS);
}

/** Joins small pieces into batches for the database. A batch ends with the piece that fills it. */
export async function* inBatches(
  pieces: AsyncIterable<readonly ListRow[]>,
): AsyncGenerator<readonly ListRow[], void, undefined> {
  let batch: ListRow[] = [];
  let characters = 0;
  for await (const piece of pieces) {
    for (const row of piece) {
      batch.push(row);
      characters += sizeOf(row);
    }
    if (batch.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

function sizeOf({ email, ref }: ListEntry): number {
  if (ref === null || typeof ref === 'string') return email.length + (ref?.length ?? 0);
  return ref.reduce((sum, cell) => sum + (cell?.length ?? 0) + CHARACTERS_PER_CELL, email.length);
}
