import { withoutEndOfFile } from './end-of-file.js';
import { withoutSurroundingSpace } from './surrounding-space.js';

/** Characters of an address as nearly all are. */
const OF_LOCAL_PART = /[\p{L}\p{M}\p{N}._+&$%#=?^{}~!*'/|`-]/u;
const OF_DOMAIN = /[\p{L}\p{M}\p{N}\p{So}\uFE0F.-]/u;
/** Of these, the ones that also separate addresses or enclose them. */
const MARKS = /^['`*_~/|=&!#{.\p{M}-]+/u;
const DOMAIN_NAME = /^[^.].*\.(?:[\p{L}\p{M}]{2,}|xn--[a-z\d-]+)$/iu;
const USUAL =
  /^[\p{L}\p{N}_'+][\p{L}\p{M}\p{N}._+'-]*@[\p{L}\p{N}][\p{L}\p{M}\p{N}.-]*\.(?:\p{L}{2,}|xn--[a-z\d-]+)$/iu;
/** What stands directly in front of an address that is not at the beginning, or in front of white space. */
const BEFORE = /[<([{'“„«»‹›‘‚`:*_~=>]$|[,;|/–—-]\s$/;
/** Marks behind an address, and then white space or the end. */
const AFTER = /^[>)\]}"'”’“‘»›«‹,;:.!?|*_~`/]*(?:$|\s)/;
/** What divides an address from the next one. */
const BETWEEN = /^[\s,;:/|<>()]/;
/** A top-level domain that a space separates from its name. */
const ENDING = /^\s+\p{L}{2,3}$/u;
const LINK = /^[\s<"']*mailto:/i;
/** The longest text that is searched. */
const MAX_LENGTH = 1_000;
/** Each one that is looked at costs a search around it. */
const MAX_SIGNS = 10;

/** Whether a text is an address as nearly all are. A valid one with other characters is none here. */
export function isUsualAddress(text: string): boolean {
  return text.includes('@') && USUAL.test(withoutTextMark(withoutSurroundingSpace(text)));
}

/** Without the apostrophe by which a spreadsheet marks a text, and the marks of the end of a file. */
export function withoutTextMark(cell: string): string {
  const text = withoutEndOfFile(cell);
  return text.startsWith("'") && text.includes('@') && !text.endsWith("'") ? text.slice(1) : text;
}

/** Nothing but an address, without a display name, a scheme, brackets, quotation marks or other addresses. */
const BARE = /^(?!['‘’‚‹›])[^\s@<>()[\]:;,"“”„«»]+@[^\s@<>()[\]:;,"“”„«»]+$/;
/** The local part is a quoted string, which may contain anything. */
const QUOTED = /^"(?:[^"\\]|\\.)*"@[^\s@"]+$/;

/** The address of a cell. */
export interface CellAddress {
  address: string;
  /** The addresses in a cell that has more than one address; 0: the cell is used as it is. */
  found: number;
}

/**
 * The address that a cell means: the first one in a cell such as `Jane <jane@example.com>`, `mailto:jane@example.com`
 * or `jane@example.com ::: j@example.com`; otherwise the cell.
 */
export function addressInCell(cell: string): CellAddress {
  const address = withoutTextMark(cell);
  const text = withoutSurroundingSpace(address);
  if (!text.includes('@') || BARE.test(text) || QUOTED.test(text)) return { address, found: 0 };
  const [first, ...others] = addressesIn(text);
  return first === undefined || first === text
    ? { address, found: 0 }
    : { address: first, found: 1 + others.length };
}

/**
 * The addresses in a text that may have more than one address: a display name, a scheme, brackets, a comment, or
 * several addresses. Only what stands apart from the rest is one: in `jane doe@example.com` there is none, since it
 * may mean another address. Only the first ten `@` are looked at, so that the time is linear in the length.
 */
export function addressesIn(written: string): string[] {
  const trimmed = withoutSurroundingSpace(written.slice(0, MAX_LENGTH));
  const text = LINK.test(trimmed) ? (trimmed.split('?', 1)[0] ?? '') : trimmed;
  const addresses: string[] = [];
  let last = 0;
  for (const at of signsIn(text)) {
    const local = localPartBefore(text, at, last);
    const domain = domainAfter(text, at);
    const end = at + 1 + domain.length;
    // One space at most: a regular expression for the end takes quadratic time.
    const before = text.slice(last, at - local.length).replace(/\s+/g, ' ');
    const isApart = isBeforeAddress(before) || (last > 0 && /[\s,;|/&]/.test(text.slice(last, at)));
    if (local === '' || !DOMAIN_NAME.test(domain) || !isApart || !endsAt(text, end)) continue;
    addresses.push(`${local}@${domain}`);
    last = end;
  }
  return distinct(addresses);
}

/** Where the first ones are. */
function signsIn(text: string): number[] {
  const signs: number[] = [];
  for (let at = text.indexOf('@'); at !== -1 && signs.length < MAX_SIGNS; at = text.indexOf('@', at + 1))
    signs.push(at);
  return signs;
}

/** Whether a text may stand in front of an address. A quotation mark that closes a name does not. */
function isBeforeAddress(text: string): boolean {
  const trimmed = text.trimEnd();
  if (trimmed.endsWith('"')) return trimmed.split('"').length % 2 === 0;
  return /^[,;|/–—-]*$/.test(trimmed) || BEFORE.test(text) || BEFORE.test(trimmed);
}

function localPartBefore(text: string, at: number, from: number): string {
  if (text[at - 1] === '"') {
    const open = text.lastIndexOf('"', at - 2);
    return open >= from ? text.slice(open, at) : '';
  }
  let start = at;
  while (start > from && OF_LOCAL_PART.test(text.charAt(start - 1))) start--;
  return text.slice(start, at).replace(MARKS, '');
}

function domainAfter(text: string, at: number): string {
  let end = at + 1;
  for (let size = 1; end < text.length; end += size) {
    const character = String.fromCodePoint(text.codePointAt(end) ?? 0);
    if (!OF_DOMAIN.test(character)) break;
    size = character.length;
  }
  return text.slice(at + 1, end).replace(/[.-]{1,64}$/, '');
}

function endsAt(text: string, end: number): boolean {
  const after = text.slice(end);
  // A final dot is a fault of the domain.
  return (
    after !== '.' &&
    !ENDING.test(after) &&
    (AFTER.test(after) || (BETWEEN.test(after) && after.includes('@')))
  );
}

function distinct(addresses: readonly string[]): string[] {
  const seen = new Set<string>();
  return addresses.filter((address) => {
    const folded = address.toLowerCase();
    return !seen.has(folded) && seen.add(folded);
  });
}
