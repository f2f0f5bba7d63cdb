import type { ListEntry } from '../../kernel/list-files/list-entry.js';

/**
 * Entries as one text and one array of numbers. Copied between threads, a thousand small objects take five times as long.
 *
 * An entry has the numbers: characters of the address; `NO_REF`, `TEXT`, or the number of its cells; characters of the
 * text or of each cell, `ADDRESS_CELL` for null; and its line, 0 for none.
 */
export interface PackedEntries {
  text: string;
  numbers: Int32Array;
}

const NO_REF = -1;
const TEXT = -2;
const ADDRESS_CELL = -1;

export function packed(entries: readonly ListEntry[]): PackedEntries {
  const texts: string[] = [];
  const numbers: number[] = [];
  for (const { email, ref, line = 0 } of entries) {
    texts.push(email);
    numbers.push(email.length);
    if (ref === null) numbers.push(NO_REF);
    else if (typeof ref === 'string') {
      texts.push(ref);
      numbers.push(TEXT, ref.length);
    } else {
      numbers.push(ref.length);
      for (const cell of ref) {
        if (cell !== null) texts.push(cell);
        numbers.push(cell?.length ?? ADDRESS_CELL);
      }
    }
    numbers.push(line);
  }
  return { text: texts.join(''), numbers: new Int32Array(numbers) };
}

export function unpacked({ text, numbers }: PackedEntries): ListEntry[] {
  const entries: ListEntry[] = [];
  let at = 0;
  let place = 0;
  const number = () => numbers[place++] ?? 0;
  const piece = (length: number) => text.slice(at, (at += length));
  while (place < numbers.length) {
    const email = piece(number());
    const kind = number();
    const ref = kind === NO_REF ? null : kind === TEXT ? piece(number()) : cells(kind);
    const line = number();
    entries.push(line === 0 ? { email, ref } : { email, ref, line });
  }
  return entries;

  function cells(count: number): (string | null)[] {
    const found: (string | null)[] = [];
    for (let cell = 0; cell < count; cell++) {
      const length = number();
      found.push(length === ADDRESS_CELL ? null : piece(length));
    }
    return found;
  }
}
