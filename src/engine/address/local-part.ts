import { hasInvisibleCharacter } from '../../kernel/text/invisible-characters.js';

export type LocalPartError =
  | 'local_part_empty'
  /** Over 64 octets, quotes included, as written or in NFC (RFC 5321 §4.5.3.1.1). */
  | 'local_part_too_long'
  /** A character that has no place there, or none outside quotes. */
  | 'local_part_character'
  /** A dot at the start, at the end, or next to another one. */
  | 'local_part_dot'
  /** It starts with a quote, and does not go on as a quoted string does. */
  | 'quoted_string';

interface LocalPart {
  /** As written, in NFC. */
  spelling: string;
  /** In NFC; quoted and escaped only where necessary. */
  normalized: string;
  /** `normalized` is quoted. */
  quoted: boolean;
}

type ParsedLocalPart = { ok: true; localPart: LocalPart } | { ok: false; error: LocalPartError };

const MAX_OCTETS = 64;

/** atext (RFC 5322 §3.2.3), and every non-ASCII character (RFC 6532 §3.2). */
const ATEXT = "A-Za-z0-9!#$%&'*+/=?^_`{|}~\\-\\u{80}-\\u{10FFFF}";
const ATEXT_AND_DOTS = new RegExp(`^[${ATEXT}.]+$`, 'u');
/** Dot-string (RFC 5321 §4.1.2). */
const DOT_STRING = new RegExp(`^[${ATEXT}]+(?:\\.[${ATEXT}]+)*$`, 'u');
/**
 * Quoted-string (RFC 5321 §4.1.2): an escape takes printable ASCII only, also under SMTPUTF8
 * (RFC 6531 §3.3 extends qtext, not the escape).
 */
const QUOTED_STRING = /^"(?:[ !#-[\]-~\u{80}-\u{10FFFF}]|\\[ -~])*"$/u;

/** Parses the text before the `@`: a dot-string or a quoted string, ASCII or UTF-8. */
export function parseLocalPart(written: string): ParsedLocalPart {
  if (written === '') return { ok: false, error: 'local_part_empty' };
  // Both forms are sent, so both must be valid. They can differ in ASCII: NFC turns the Greek question
  // mark into a semicolon, and composes `<` with an overlay stroke. They can differ in length, either
  // way.
  const spelling = written.normalize('NFC');
  const error = errorIn(written) ?? (spelling === written ? null : errorIn(spelling));
  if (error !== null) return { ok: false, error };

  const content = spelling.startsWith('"') ? unquote(spelling) : spelling;
  const quoted = !DOT_STRING.test(content);
  return { ok: true, localPart: { spelling, normalized: quoted ? quote(content) : content, quoted } };
}

function errorIn(text: string): LocalPartError | null {
  if (Buffer.byteLength(text) > MAX_OCTETS) return 'local_part_too_long';
  if (hasInvisibleCharacter(text)) return 'local_part_character';
  if (text.startsWith('"')) return QUOTED_STRING.test(text) ? null : 'quoted_string';
  if (!ATEXT_AND_DOTS.test(text)) return 'local_part_character';
  return DOT_STRING.test(text) ? null : 'local_part_dot';
}

function unquote(quotedString: string): string {
  return quotedString.slice(1, -1).replace(/\\(.)/g, '$1');
}

function quote(content: string): string {
  return `"${content.replace(/["\\]/g, '\\$&')}"`;
}
