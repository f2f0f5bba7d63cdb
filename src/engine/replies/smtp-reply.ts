import { printable } from '../../kernel/text/printable.js';

/** One complete reply of a mail server (RFC 5321 §4.2), all its lines together. */
export interface SmtpReply {
  /** 200–599. */
  code: number;
  /** `class.subject.detail` (RFC 3463); null when the reply carries none. */
  enhancedCode: string | null;
  /** The text after the code on each line, as it was sent. */
  lines: readonly string[];
  /** The lines as one text, without the enhanced code that many servers repeat on each. */
  text: string;
}

const ENHANCED_CODE = /^#?([245]\.\d{1,3}\.\d{1,3})(?![\d.])[ \t]*/;
const EXCERPT_LENGTH = 200;

export function smtpReply(code: number, lines: readonly string[]): SmtpReply {
  let enhancedCode: string | null = null;
  const texts = lines.map((line) => {
    const found = parseEnhancedCode(code, line);
    enhancedCode ??= found;
    return (found === null ? line : line.replace(ENHANCED_CODE, '')).trim();
  });
  return { code, enhancedCode, lines, text: texts.join(' ').trim() };
}

/**
 * The enhanced code, which must follow the reply code (RFC 2034 §4). A number of that form further on
 * is from a quoted reply of another server. Cisco's gateways add a `#` in front of it.
 *
 * @param line what follows the reply code and its separator
 * @returns null also when its class contradicts the reply code (RFC 2034 §4 forbids that)
 */
export function parseEnhancedCode(code: number, line: string): string | null {
  const found = ENHANCED_CODE.exec(line)?.[1];
  if (found === undefined || !found.startsWith(String(code).charAt(0))) return null;
  return found;
}

/** At most 200 characters that are safe to display: no control characters and no bidirectional formatting. */
export function excerpt(text: string): string {
  const shown = printable(text);
  return shown.length <= EXCERPT_LENGTH ? shown : [...shown].slice(0, EXCERPT_LENGTH).join('');
}
