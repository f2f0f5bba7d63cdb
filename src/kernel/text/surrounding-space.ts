/**
 * What nobody sees at the ends of a text: white space, and characters without a glyph, which copies from documents,
 * address books and chats leave there. U+2800 is a Braille pattern without dots. Format characters that have a
 * glyph, such as U+0600, are part of the text.
 */
const INVISIBLE =
  /^(?![\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}])[\s\u0085\u2800\p{Cf}\p{Default_Ignorable_Code_Point}]$/u;

/**
 * The text without white space and invisible characters at both ends. A loop, because a regular expression for the
 * end takes quadratic time.
 */
export function withoutSurroundingSpace(text: string): string {
  if (isVisibleAscii(text.charCodeAt(0)) && isVisibleAscii(text.charCodeAt(text.length - 1))) return text;
  let start = 0;
  let end = text.length;
  while (start < end) {
    const character = String.fromCodePoint(text.codePointAt(start) ?? 0);
    if (!INVISIBLE.test(character)) break;
    start += character.length;
  }
  while (end > start) {
    const character = lastCharacter(text, start, end);
    if (!INVISIBLE.test(character)) break;
    end -= character.length;
  }
  return text.slice(start, end);
}

/** The text without invisible characters, and without white space beside `@`, wherever they are. */
export function withoutInvisible(text: string): string {
  // JavaScript takes U+FEFF for white space.
  const isKept = (character: string) => /[^\S\uFEFF]/.test(character) || !INVISIBLE.test(character);
  return [...text]
    .filter(isKept)
    .join('')
    .replace(/\s?@\s?/g, '@');
}

/** Most texts begin and end with it. */
function isVisibleAscii(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}

function lastCharacter(text: string, start: number, end: number): string {
  const pair = end - start > 1 ? text.codePointAt(end - 2) : undefined;
  return pair !== undefined && pair > 0xffff ? String.fromCodePoint(pair) : text.charAt(end - 1);
}
