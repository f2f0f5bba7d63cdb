/**
 * Characters that are invisible or change how other characters are displayed. RFC 6532 §3.1 allows
 * them in an address, but they permit spoofing, and a pasted zero-width space makes an address
 * undeliverable.
 *
 * Rejected: controls (C0, DEL, C1), lone surrogates, white space other than the ASCII space,
 * line and paragraph separators, noncharacters, the replacement character (it replaces invalid
 * UTF-8), and all "default ignorable" characters of Unicode: bidi and format controls, fillers,
 * soft hyphens, tags.
 *
 * Accepted: variation selectors, which only select a glyph, and the two joiners (ZWNJ, ZWJ), which
 * some scripts require.
 */
const INVISIBLE =
  /(?![ \u200C\u200D\p{VS}])[\p{Cc}\p{Cs}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\uFFF9-\uFFFD]/u;

/**
 * A joiner at the start, after an ASCII character or after another joiner has no effect. Persian,
 * the Indic scripts and emoji use it after a character of their own (RFC 5892 §A.1, §A.2).
 */
const STRAY_JOINER = /(?<=^|[\x00-\x7F\u200C\u200D])[\u200C\u200D]/u;

export function hasInvisibleCharacter(text: string): boolean {
  return INVISIBLE.test(text) || STRAY_JOINER.test(text);
}
