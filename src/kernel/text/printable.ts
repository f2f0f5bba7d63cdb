const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu;
/** Characters that change the direction of text, so that it looks different from what it is. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A text of somebody else as one line that a terminal, a log and a page can show. */
export function printable(text: string): string {
  return text.replace(CONTROLS, ' ').replace(BIDI, '').replace(/ {2,}/g, ' ').trim();
}

/** The same for several lines, whose spaces stay. */
export function printableLines(text: string): string {
  return text.replace(/(?!\n)[\p{Cc}\u2028\u2029]/gu, ' ').replace(BIDI, '');
}

/** JSON that shows these characters as escape sequences (RFC 8259 §7). */
export function printableJson(value: unknown): string {
  const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, 2)
    .replace(/(?!\n)[\p{Cc}\u2028\u2029]/gu, escape)
    .replace(BIDI, escape);
}
