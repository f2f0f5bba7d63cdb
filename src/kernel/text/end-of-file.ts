/** U+0000 pads a file, U+0004 and U+001A end it: programs for MS-DOS and mainframes write them behind the last line. */
const MARKS: ReadonlySet<string> = new Set(['\0', '\x04', '\x1a']);
const LINE_BREAKS: ReadonlySet<string> = new Set(['\r', '\n']);

/** Whether a text is nothing but marks of the end of a file. */
export function isEndOfFile(text: string): boolean {
  if (!MARKS.has(text.charAt(0))) return false;
  for (const character of text) if (!MARKS.has(character)) return false;
  return true;
}

/** A cell without them at its ends. */
export function withoutEndOfFile(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && MARKS.has(text.charAt(start))) start++;
  while (end > start && MARKS.has(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Drops the marks of the end of a file that arrives in pieces, and the line breaks among them. */
export class EndOfFile {
  /** What may be the end. */
  private held = '';

  /** @returns the text of which more follows. */
  push(text: string): string {
    let end = text.length;
    while (end > 0 && isAtEnd(text.charAt(end - 1))) end--;
    const before = end > 0 ? this.held : '';
    if (end > 0) this.held = '';
    // A line break belongs to the line before it.
    if (this.held === '') while (LINE_BREAKS.has(text.charAt(end))) end++;
    this.held += text.slice(end);
    return before + text.slice(0, end);
  }
}

function isAtEnd(character: string): boolean {
  return MARKS.has(character) || LINE_BREAKS.has(character);
}
