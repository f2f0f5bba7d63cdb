/** One row of a list, as it was sent. */
export interface ListEntry {
  /** At most 1,000 characters of it are kept. */
  email: string;
  /** Handed back with the result: a text of the caller's, or the other columns of a CSV by name. */
  ref: string | Readonly<Record<string, string>> | null;
}

/** A row, once it is known which address it names. */
export interface ListRow extends ListEntry {
  /** In input order, from 0. */
  index: number;
  /** The keyed hash of the address. */
  hash: Buffer;
}

/** Longer texts are no addresses; this much tells so, and is what the API looks at elsewhere. */
const MOST_CHARACTERS = 1_000;

/** As much of a text as is kept. */
export function keepable(text: string): string {
  return text.slice(0, MOST_CHARACTERS);
}
