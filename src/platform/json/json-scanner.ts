import { TokenParser, TokenParserError, TokenType } from '@streamparser/json';

const CHARACTERS = /(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SYMBOL = /[{}[\]:,]/y;
const QUOTE = /"/y;
const SPACE = /[ \t\n\r]*/y;
const LOW_SURROGATE = /[\uDC00-\uDFFF]/g;

/** More than the longest escape in a string, and than any literal but a number. */
const MAX_LOOKAHEAD = 32;

export type JsonToken = Parameters<TokenParser['write']>[0];

/** The brackets, the colon, the comma and the words of JSON. */
const FIXED_TOKENS: ReadonlyMap<string, JsonToken> = new Map(
  (
    [
      ['{', TokenType.LEFT_BRACE, '{'],
      ['}', TokenType.RIGHT_BRACE, '}'],
      ['[', TokenType.LEFT_BRACKET, '['],
      [']', TokenType.RIGHT_BRACKET, ']'],
      [':', TokenType.COLON, ':'],
      [',', TokenType.COMMA, ','],
      ['true', TokenType.TRUE, true],
      ['false', TokenType.FALSE, false],
      ['null', TokenType.NULL, null],
    ] as const
  ).map(([text, token, value]) => [text, { token, value }]),
);

interface TextPosition {
  /** From 1. */
  line: number;
  /** In characters, from 1. */
  column: number;
}

/** The first syntax error of a text that is not JSON; the end of an incomplete text. */
export function jsonErrorIn(text: string): TextPosition {
  // Without the stack, each value would cost time for each level.
  const parser = new TokenParser({ keepStack: true });
  parser.onValue = () => undefined;
  return new JsonScanner(parser).errorIn(text);
}

/**
 * Divides JSON into tokens (RFC 8259) for a parser, which knows where each is allowed. It reads pieces, with the memory
 * of one piece and one token. A token that is not complete is read again with the next piece, so that small pieces of a
 * long token cost much: `decoded` puts them together. The tokenizer of the library drops U+FEFF in strings.
 */
export class JsonScanner {
  private text = '';
  private at = 0;
  /** The end of what was read of a string that goes on in the next piece. */
  private readUpTo = 0;
  private isLast = false;
  /** Of the beginning of `text`. */
  private start: TextPosition = { line: 1, column: 1 };
  private hasFailed = false;

  /** @param onToken called with each token after the parser. */
  constructor(
    private readonly parser: TokenParser,
    private readonly onToken: (token: JsonToken) => void = () => undefined,
  ) {}

  /** @returns the first syntax error; null: none up to the last token, which may go on in the next piece. */
  push(text: string): TextPosition | null {
    this.scan(text);
    const { position } = this;
    if (this.hasFailed) return position;
    this.start = position;
    this.text = this.text.slice(this.at);
    this.readUpTo -= this.at;
    this.at = 0;
    return null;
  }

  /** After the last piece. @returns the first syntax error; null: the text is one JSON value. */
  end(): TextPosition | null {
    const position = this.errorIn('');
    return this.parser.isEnded && !this.hasFailed ? null : position;
  }

  /** The first syntax error from here, or the end. */
  errorIn(text: string): TextPosition {
    this.isLast = true;
    this.scan(text);
    return this.position;
  }

  private scan(text: string): void {
    this.text += text;
    while (this.readToken());
  }

  private get position(): TextPosition {
    const { line, column } = this.start;
    const before = this.text.slice(0, this.at);
    let lines = 0;
    let lineStart = 0;
    for (let end = before.indexOf('\n'); end !== -1; end = before.indexOf('\n', lineStart)) {
      lines++;
      lineStart = end + 1;
    }
    // A low surrogate is the second half of a character.
    const secondHalves = before.slice(lineStart).match(LOW_SURROGATE)?.length ?? 0;
    const characters = this.at - lineStart - secondHalves;
    return { line: line + lines, column: (lines === 0 ? column : 1) + characters };
  }

  /** @returns false: the next token is missing, is not allowed here, or may be incomplete. */
  private readToken(): boolean {
    this.skip(SPACE);
    const { at } = this;
    const character = this.text[at];
    if (character === undefined) return false;
    const isToken = this.skipToken(character);
    // A literal may go on in the next piece.
    const isWhole = isToken && '{}[]:,"'.includes(character);
    if (!isWhole && !this.isLast && this.text.length - this.at < MAX_LOOKAHEAD) {
      // Goes on with the next piece; what is no string is scanned again.
      this.at = at;
      return false;
    }
    if (isToken && this.accept(tokenOf(this.text.slice(at, this.at)))) return true;
    this.hasFailed = true;
    if (isToken) this.at = at;
    return false;
  }

  private accept(token: JsonToken): boolean {
    try {
      this.parser.write(token);
    } catch (error) {
      if (error instanceof TokenParserError) return false;
      throw error;
    }
    this.onToken(token);
    return true;
  }

  /** @returns false: no token begins with the character, or a string is incomplete or has a character that is not allowed. */
  private skipToken(character: string): boolean {
    if (character === '"') return this.skipString();
    return this.skip(SYMBOL) || this.skip(LITERAL);
  }

  private skipString(): boolean {
    this.at = Math.max(this.at + 1, this.readUpTo);
    this.skip(CHARACTERS);
    this.readUpTo = this.at;
    return this.skip(QUOTE);
  }

  private skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return false;
    this.at = pattern.lastIndex;
    return true;
  }
}

function tokenOf(text: string): JsonToken {
  const fixed = FIXED_TOKENS.get(text);
  if (fixed !== undefined) return fixed;
  const value = JSON.parse(text) as string | number;
  return { token: typeof value === 'string' ? TokenType.STRING : TokenType.NUMBER, value };
}
