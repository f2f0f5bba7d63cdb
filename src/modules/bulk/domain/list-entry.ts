/** One row of a list, as submitted. */
export interface ListEntry {
  /** At most 1,000 characters are stored. */
  email: string;
  /** Returned with the result: a text of the caller, or the other columns of a CSV by name. */
  ref: string | Readonly<Record<string, string>> | null;
}

/** A row with the key of its address. */
export interface ListRow extends ListEntry {
  /** In input order, from 0. */
  index: number;
  /** `ListLocation.key`. */
  hash: string;
}

/** Longer texts are no addresses; the same limit as elsewhere in the API. */
const MAX_CHARACTERS = 1_000;

/** The part of a text that is stored. */
export function truncated(text: string): string {
  return text.slice(0, MAX_CHARACTERS);
}
