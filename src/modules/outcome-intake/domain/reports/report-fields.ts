/** A date of RFC 5322, which may end in a comment; null if it is none. */
export function dateIn(value: string | null | undefined): Date | null {
  const date = new Date((value ?? '').split('(')[0] ?? '');
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Header fields of one block; names in lower case, the first of each name. */
export type Fields = ReadonlyMap<string, string>;

/** Further blocks of a report are ignored. */
const MAX_BLOCKS = 1_000;

/** The blocks of header fields that blank lines separate (RFC 3464 §2.1, RFC 5965 §3), with folded lines joined. */
export function blocksOf(text: string): Fields[] {
  const blocks: Map<string, string>[] = [];
  let block: Map<string, string> | null = null;
  let name: string | null = null;
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line.trim() === '') {
      block = name = null;
      continue;
    }
    if (/^[ \t]/.test(line)) {
      // Only the first field of a name counts, and its continuation.
      if (block !== null && name !== null) block.set(name, `${block.get(name) ?? ''}\n${line.trim()}`);
      continue;
    }
    const at = line.indexOf(':');
    if (at <= 0) continue;
    if (block === null) {
      if (blocks.length === MAX_BLOCKS) break;
      blocks.push((block = new Map<string, string>()));
    }
    const field = line.slice(0, at).trim().toLowerCase();
    name = block.has(field) ? null : field;
    if (name !== null) block.set(name, line.slice(at + 1).trim());
  }
  return blocks;
}

/** The value after the type of an address, a diagnostic or an MTA: `rfc822; jane@example.com`. */
export function typedValue(value: string | undefined): { type: string; value: string } | null {
  if (value === undefined) return null;
  const at = value.indexOf(';');
  if (at < 0) return { type: '', value: value.trim() };
  return { type: value.slice(0, at).trim().toLowerCase(), value: value.slice(at + 1).trim() };
}

/** The address in a field, without angle brackets; null if it has none. */
export function addressIn(value: string | undefined): string | null {
  const text = typedValue(value)?.value.replace(/\s+/g, ' ').trim() ?? '';
  const address = /^<(.*)>$/.exec(text)?.[1] ?? text;
  return /^[^\s<>]+@[^\s<>@]+$|^"[^"]{1,64}"@[^\s<>@]+$/.test(address) ? address : null;
}
