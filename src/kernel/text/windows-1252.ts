/** The characters of the bytes 80 to 9F; five of these bytes have none, and stand for themselves. */
const CHARACTERS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
const FIRST = 0x80;
const HIGH = /[\x80-\x9f]/g;
const CODES: ReadonlyMap<string, number> = new Map(
  Array.from(CHARACTERS, (character, at) => [character, FIRST + at] as const),
);
const UNKNOWN = '?'.charCodeAt(0);

/** As the Encoding Standard decodes it: each byte is one character, so that the bytes can be had again. */
export function fromWindows1252(bytes: Buffer): string {
  return bytes.toString('latin1').replace(HIGH, (byte) => CHARACTERS.charAt(byte.charCodeAt(0) - FIRST));
}

/** The bytes of a text; a character that it does not have becomes a question mark. */
export function toWindows1252(text: string): Buffer {
  const codes = Uint8Array.from(text, (character) => codeOf(character));
  return Buffer.from(codes.buffer);
}

function codeOf(character: string): number {
  const code = character.charCodeAt(0);
  if (character.length > 1) return UNKNOWN;
  if (code < FIRST || (code > 0x9f && code <= 0xff)) return code;
  return CODES.get(character) ?? UNKNOWN;
}

/**
 * Bytes that it does not define; so many bytes beyond ASCII in a row as no language has that it is for; a capital or a
 * quotation mark inside a word, as the vowels of other single-byte encodings are read.
 */
const OF_ANOTHER =
  /[\x81\x8d\x8f\x90\x9d]|[\xc0-\xff]{4}|[\xa1-\xff]{6}|[a-z][\x82\x84\x8a\x8c\x8e\x9f][a-z]/;
/** Of the bytes before, that may belong to such a place. */
const MAX_BEFORE = 5;

/** Looks for bytes that a text in Windows-1252 hardly has. */
export class EncodingDoubt {
  isFound = false;
  private before = '';

  push(bytes: Buffer): void {
    if (this.isFound) return;
    const text = this.before + bytes.toString('latin1');
    this.isFound = OF_ANOTHER.test(text);
    this.before = text.slice(-MAX_BEFORE);
  }
}
