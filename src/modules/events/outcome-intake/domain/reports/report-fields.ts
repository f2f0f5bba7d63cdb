import { mailboxIn } from './mailbox.js';

const MAX_DATE = 100;

/** A date of RFC 5322, which may end in a comment; null if it is none. */
export function dateIn(value: string | null | undefined): Date | null {
  const date = new Date((value ?? '').slice(0, MAX_DATE).split('(')[0] ?? '');
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Header fields of one block; names in lower case, the first of each name. */
export type Fields = ReadonlyMap<string, string>;

/** Further blocks of a report are ignored. */
const MAX_BLOCKS = 1_000;

/**
 * The blocks of header fields that blank lines separate (RFC 3464 §2.1, RFC 5965 §3), with folded lines joined.
 *
 * @param beginning fields of which a second one begins another block.
 */
export function blocksOf(text: string, beginning: readonly string[] = []): Fields[] {
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
    const field = line.slice(0, at).trim().toLowerCase();
    if (block?.has(field) && beginning.includes(field)) block = null;
    if (block === null) {
      if (blocks.length === MAX_BLOCKS) break;
      blocks.push((block = new Map<string, string>()));
    }
    name = block.has(field) ? null : field;
    if (name !== null) block.set(name, line.slice(at + 1).trim());
  }
  return blocks;
}

/** All values of a field in the first block, with folded lines joined. */
export function valuesOf(text: string, name: string): string[] {
  const [block = ''] = text.trimStart().split(/\n[ \t]*\n/, 1);
  return block
    .replace(/\n[ \t]+/g, ' ')
    .split('\n')
    .filter((line) => line.toLowerCase().startsWith(`${name}:`))
    .map((line) => line.slice(name.length + 1).trim());
}

/**
 * The value after the type of an address, a diagnostic or an MTA: `rfc822; jane@example.com`. A program may leave out the
 * type, and write a semicolon in the value.
 */
export function typedValue(value: string | undefined): { type: string; value: string } | null {
  if (value === undefined) return null;
  const type = /^\s{0,100}([a-z][\w./-]{0,40})\s{0,100};/i.exec(value);
  if (type === null) return { type: '', value: value.trim() };
  return { type: (type[1] ?? '').toLowerCase(), value: value.slice(type[0].length).trim() };
}

/** The address in a field that has a type (RFC 3464 §2.3, RFC 6533 §3); null if it has none. */
export function addressIn(value: string | undefined): string | null {
  const typed = typedValue(value);
  if (typed === null) return null;
  return mailboxIn(typed.type === 'utf-8' ? unescaped(typed.value) : typed.value);
}

/** `utf-8-addr-xtext`: `\x{E4}` stands for `ä`. */
function unescaped(text: string): string {
  return text.replace(/\\x\{([\da-fA-F]{2,6})\}/g, (escape, digits: string) => {
    const point = parseInt(digits, 16);
    return point <= 0x10_ffff ? String.fromCodePoint(point) : escape;
  });
}
