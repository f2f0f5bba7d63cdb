const STRING = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\n\r]*/y;
const LOW_SURROGATE = /[\uDC00-\uDFFF]/g;

/** The expected next token (RFC 8259). */
type Next = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end';

interface TextPosition {
  /** From 1. */
  line: number;
  /** In characters, from 1. */
  column: number;
}

/** More than the longest escape in a string, and than any literal but a number. */
const MAX_LOOKAHEAD = 32;

/** The first syntax error of a text that is not JSON; the end of an incomplete text. */
export function jsonErrorIn(text: string): TextPosition {
  return new JsonScanner().errorIn(text);
}

/** Scans JSON in pieces, with the memory of one piece and one token. */
export class JsonScanner {
  private text = '';
  private at = 0;
  private isLast = false;
  /** Of the beginning of `text`. */
  private start: TextPosition = { line: 1, column: 1 };
  private next: Next = 'value';
  /** A token is not allowed where it is. */
  private hasFailed = false;
  /** Open objects and arrays, the innermost last. */
  private readonly open: ('{' | '[')[] = [];

  /** @param onToken called with each token: a bracket, a colon, a comma, a literal, or a string with its quotes. */
  constructor(private readonly onToken: (token: string) => void = () => undefined) {}

  /** @returns the first syntax error; null: none up to the last token, which may go on in the next piece. */
  push(text: string): TextPosition | null {
    this.scan(text);
    const { position } = this;
    if (this.hasFailed) return position;
    this.start = position;
    this.text = this.text.slice(this.at);
    this.at = 0;
    return null;
  }

  /** After the last piece. @returns the first syntax error; null: the text is one JSON value. */
  end(): TextPosition | null {
    const position = this.errorIn('');
    const isOne = this.next === 'comma or end' && this.open.length === 0 && this.at === this.text.length;
    return isOne ? null : position;
  }

  /** The first syntax error from here, or the end. */
  errorIn(text: string): TextPosition {
    this.isLast = true;
    this.scan(text);
    return this.position;
  }

  private scan(text: string): void {
    this.text += text;
    do this.skip(SPACE);
    while (this.skipWholeToken());
  }

  private get position(): TextPosition {
    const { line, column } = this.start;
    let lines = 0;
    let lineStart = 0;
    for (
      let end = this.text.indexOf('\n');
      end !== -1 && end < this.at;
      end = this.text.indexOf('\n', lineStart)
    ) {
      lines++;
      lineStart = end + 1;
    }
    // A low surrogate is the second half of a character.
    const secondHalves = this.text.slice(lineStart, this.at).match(LOW_SURROGATE)?.length ?? 0;
    const characters = this.at - lineStart - secondHalves;
    return { line: line + lines, column: (lines === 0 ? column : 1) + characters };
  }

  /** @returns false: the next token is not allowed here, or may be incomplete. */
  private skipWholeToken(): boolean {
    const { at, next } = this;
    const isSkipped = this.skipToken();
    const character = this.text[at];
    const isWhole =
      this.isLast || (isSkipped && character === '"') || this.text.length - this.at >= MAX_LOOKAHEAD;
    if (isWhole || (character !== undefined && '{}[]:,'.includes(character))) {
      this.hasFailed = !isSkipped && character !== undefined;
      if (isSkipped) this.onToken(this.text.slice(at, this.at));
      return isSkipped;
    }
    // Scanned again with the next piece.
    this.at = at;
    this.next = next;
    return false;
  }

  /** @returns false: the next token is not allowed here. */
  private skipToken(): boolean {
    const character = this.text[this.at];
    if (character === undefined) return false;
    if (character === '"') return this.skipText();
    if (character === '{' || character === '[') return this.skipOpening(character);
    if (character === '}' || character === ']') return this.skipClosing(character);
    if (character === ':') return this.next === 'colon' && this.step('value');
    if (character === ',') return this.skipComma();
    return this.expectsValue && this.skip(LITERAL) && this.after();
  }

  private skipText(): boolean {
    const isName = this.next === 'name' || this.next === 'name or end';
    if (!isName && !this.expectsValue) return false;
    this.skip(STRING);
    if (this.text[this.at] !== '"') return false;
    if (isName) return this.step('colon');
    this.at++;
    return this.after();
  }

  private skipOpening(character: '{' | '['): boolean {
    if (!this.expectsValue) return false;
    this.open.push(character);
    return this.step(character === '{' ? 'name or end' : 'value or end');
  }

  private skipClosing(character: '}' | ']'): boolean {
    const first = character === '}' ? 'name or end' : 'value or end';
    const matches = this.open.at(-1) === (character === '}' ? '{' : '[');
    if (!matches || (this.next !== first && this.next !== 'comma or end')) return false;
    this.open.pop();
    this.at++;
    return this.after();
  }

  private skipComma(): boolean {
    const inner = this.open.at(-1);
    if (inner === undefined || this.next !== 'comma or end') return false;
    return this.step(inner === '{' ? 'name' : 'value');
  }

  private get expectsValue(): boolean {
    return this.next === 'value' || this.next === 'value or end';
  }

  /** Skips one character. */
  private step(next: Next): true {
    this.at++;
    this.next = next;
    return true;
  }

  /** After a complete value. */
  private after(): true {
    this.next = 'comma or end';
    return true;
  }

  private skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return false;
    this.at = pattern.lastIndex;
    return true;
  }
}
