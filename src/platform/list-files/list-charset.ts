import { UnknownCharset } from '../../kernel/list-files/list-file.errors.js';
import { ENCODINGS, type ListEncoding } from '../../kernel/list-files/list-format.js';

/** Clients add them to any text. The rule for a CSV that names no encoding applies, which prefers UTF-8. */
const USUAL = ['utf-8', 'utf8', 'utf-8-sig', 'us-ascii', 'ascii'];
/** Encodings that contain another one with all its characters. */
const CONTAINED_IN: Readonly<Record<string, ListEncoding>> = {
  gbk: 'gb18030',
  'iso-8859-8-i': 'iso-8859-8',
};

/**
 * The encoding that the charset of a CSV names, by any label of the Encoding Standard.
 *
 * @returns null if it names none. @throws UnknownCharset
 */
export function encodingOf(charset: string | null): ListEncoding | null {
  if (charset === null || USUAL.includes(charset)) return null;
  const name = nameOf(charset);
  const encoding = ENCODINGS.find((known) => known === name) ?? CONTAINED_IN[name];
  if (encoding === undefined) throw new UnknownCharset(ENCODINGS);
  return encoding;
}

function nameOf(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    // Not each version of Node has all of them.
    return label;
  }
}
