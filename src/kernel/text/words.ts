/** Splits a table that is written as running text at white space. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** The words of a table, each with the key of its text, in the order of the table. */
export function wordsWithKey(table: Readonly<Record<string, string>>): [word: string, key: string][] {
  return Object.entries(table).flatMap(([key, text]) =>
    words(text).map((word): [string, string] => [word, key]),
  );
}
