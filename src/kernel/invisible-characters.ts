/**
 * Characters that a reader cannot see, or that change how the rest is seen. RFC 6532 §3.1 would
 * let them into an address; an address that does not look like what it is helps nobody but a
 * forger, and one that was pasted with a zero-width space in it would never arrive.
 *
 * Refused are controls (C0, DEL, C1), lone surrogates, white space other than the ASCII space,
 * line and paragraph separators, noncharacters, the replacement character (it stands for octets
 * that were no UTF-8), and all that Unicode calls "default ignorable": bidi and format controls,
 * fillers, soft hyphens, tags.
 *
 * Let through are the variation selectors, which only choose a glyph, and the two joiners, which
 * some scripts need for spelling.
 */
const INVISIBLE =
  /(?![ \u200C\u200D\p{VS}])[\p{Cc}\p{Cs}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\uFFF9-\uFFFD]/u;

/**
 * A joiner at the start, after an ASCII character or after another joiner joins nothing: Persian,
 * the Indic scripts and emoji put it after a character of their own (compare RFC 5892 A.1, A.2).
 */
const STRAY_JOINER = /(?<=^|[\x00-\x7F\u200C\u200D])[\u200C\u200D]/u;

export function hasInvisibleCharacter(text: string): boolean {
  return INVISIBLE.test(text) || STRAY_JOINER.test(text);
}
