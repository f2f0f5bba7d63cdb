const STRING = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\n\r]*/y;

/** The expected next token (RFC 8259). */
type Next = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end';

/** The first syntax error of a text that is not JSON: line and column, from 1; the end of an incomplete text. */
export function jsonFaultIn(text: string): { line: number; column: number } {
  const before = text.slice(0, new Scanner(text).faultAt());
  const line = before.split('\n').length;
  const column = [...before.slice(before.lastIndexOf('\n') + 1)].length + 1;
  return { line, column };
}

class Scanner {
  private at = 0;
  private next: Next = 'value';
  /** Open objects and arrays, the innermost last. */
  private readonly open: ('{' | '[')[] = [];

  constructor(private readonly text: string) {}

  faultAt(): number {
    do this.take(SPACE);
    while (this.takeToken());
    return this.at;
  }

  /** @returns false: the next token is not allowed here. */
  private takeToken(): boolean {
    const character = this.text[this.at];
    if (character === undefined) return false;
    if (character === '"') return this.takeText();
    if (character === '{' || character === '[') return this.takeOpening(character);
    if (character === '}' || character === ']') return this.takeClosing(character);
    if (character === ':') return this.next === 'colon' && this.step('value');
    if (character === ',') return this.takeComma();
    return this.expectsValue && this.take(LITERAL) && this.after();
  }

  private takeText(): boolean {
    const isName = this.next === 'name' || this.next === 'name or end';
    if (!isName && !this.expectsValue) return false;
    this.take(STRING);
    if (this.text[this.at] !== '"') return false;
    if (isName) return this.step('colon');
    this.at++;
    return this.after();
  }

  private takeOpening(character: '{' | '['): boolean {
    if (!this.expectsValue) return false;
    this.open.push(character);
    return this.step(character === '{' ? 'name or end' : 'value or end');
  }

  private takeClosing(character: '}' | ']'): boolean {
    const first = character === '}' ? 'name or end' : 'value or end';
    const matches = this.open.at(-1) === (character === '}' ? '{' : '[');
    if (!matches || (this.next !== first && this.next !== 'comma or end')) return false;
    this.open.pop();
    this.at++;
    return this.after();
  }

  private takeComma(): boolean {
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

  private take(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return false;
    this.at = pattern.lastIndex;
    return true;
  }
}
