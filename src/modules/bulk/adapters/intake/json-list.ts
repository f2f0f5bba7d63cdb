import { Tokenizer, TokenType } from '@streamparser/json';
import { DomainError } from '../../../../kernel/errors.js';
import { nameError } from '../../../../kernel/text/text-rules.js';
import { JsonScanner } from '../../../../platform/http/body/json-error.js';
import { jsonPointer } from '../../../../platform/http/validation/validation-errors.js';
import { MalformedList } from '../../domain/bulk.errors.js';
import type { ListEntry } from '../../domain/list-entry.js';
import type { ListHeader } from '../../domain/list-reader.js';
import { entryOf, MAX_ENTRY_LENGTH, notAnEntry, invalid, tooLong } from './entry-rules.js';
import { decoded } from './decoded.js';

interface Token {
  token: TokenType;
  value: unknown;
}

/** A parser coroutine that receives one token at a time. */
type TokenReader<Result = void> = Generator<undefined, Result, Token>;

/**
 * Reads `{"emails": […], "name": …, "refresh": …}` from a token stream. Only the current entry is kept
 * in memory, however deep or long the input is.
 */
export async function* jsonList(
  body: AsyncIterable<Buffer>,
  header: ListHeader,
): AsyncGenerator<readonly ListEntry[], void, undefined> {
  const list = new JsonList(header);
  for await (const text of decoded(body)) yield list.read(text);
  list.end();
}

/** The tokens are not JSON. */
class NotJson extends Error {}

class JsonList {
  private readonly tokenizer = new Tokenizer();
  private readonly reading: TokenReader;
  /** For the position of a syntax error. */
  private readonly scanner = new JsonScanner();
  private entries: ListEntry[] = [];
  private count = 0;
  private received = false;
  private charactersOfToken = 0;
  private readonly seen = new Set<string>();

  constructor(private readonly header: ListHeader) {
    this.reading = this.document();
    this.reading.next();
    this.tokenizer.onToken = (token) => {
      this.received = true;
      this.reading.next(token);
    };
  }

  read(text: string): ListEntry[] {
    this.received = false;
    this.strictly(text, () => this.tokenizer.write(text));
    this.scanner.push(text);
    this.charactersOfToken = this.received ? 0 : this.charactersOfToken + text.length;
    if (this.charactersOfToken > MAX_ENTRY_LENGTH) throw tooLong(this.here);
    const { entries } = this;
    this.entries = [];
    return entries;
  }

  end(): void {
    this.strictly('', () => {
      this.tokenizer.end();
      // The input must be complete.
      if (!this.tokenizer.isEnded || !this.isWhole) throw new NotJson();
    });
  }

  private isWhole = false;

  private get here(): string {
    return `/emails/${this.count}`;
  }

  /** @param text what `work` reads. */
  private strictly(text: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      if (error instanceof DomainError) throw error;
      // The text is not quoted: it may be an address.
      const { line, column } = this.scanner.errorIn(text);
      throw new MalformedList(`The body is not JSON: see line ${line}, column ${column}.`);
    }
  }

  private *document(): TokenReader {
    if ((yield).token !== TokenType.LEFT_BRACE)
      throw invalid('', 'Send an object with the member emails.', 'invalid_type');
    for (let next = yield; next.token !== TokenType.RIGHT_BRACE;) {
      yield* this.member(nameIn(next));
      next = yield;
      if (next.token === TokenType.COMMA) next = unexpected(yield, TokenType.STRING);
      else unexpected(next, TokenType.RIGHT_BRACE);
    }
    this.isWhole = true;
    yield;
    throw new NotJson();
  }

  private *member(name: string): TokenReader {
    if (this.seen.has(name)) throw invalid(jsonPointer([name]), 'Send this member once.', 'repeated');
    this.seen.add(name);
    unexpected(yield, TokenType.COLON);
    const value = yield;
    if (name === 'emails') yield* this.emails(value);
    else if (name === 'name') this.header.name = nameOf(value);
    else if (name === 'refresh') this.header.refresh = flagOf(value);
    else
      throw invalid(
        jsonPointer([name]),
        'This member is not known. Send emails, and optionally name and refresh.',
        'unknown_member',
      );
  }

  private *emails(first: Token): TokenReader {
    if (first.token !== TokenType.LEFT_BRACKET) throw invalid('/emails', 'Send an array.');
    let next = yield;
    if (next.token === TokenType.RIGHT_BRACKET) return;
    for (;;) {
      const value = next.token === TokenType.LEFT_BRACE ? yield* this.object() : next.value;
      if (next.token !== TokenType.LEFT_BRACE && next.token !== TokenType.STRING)
        throw isValue(next) ? notAnEntry(this.here) : new NotJson();
      this.entries.push(entryOf(value, this.here));
      this.count++;
      next = yield;
      if (next.token === TokenType.RIGHT_BRACKET) return;
      unexpected(next, TokenType.COMMA);
      next = yield;
    }
  }

  /** An entry with members; unknown members are refused by name, whatever their value. */
  private *object(): TokenReader<Record<string, unknown>> {
    const members: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    for (let next = yield; next.token !== TokenType.RIGHT_BRACE;) {
      const name = nameIn(next);
      unexpected(yield, TokenType.COLON);
      const { token, value } = yield;
      members[name] = token === TokenType.STRING || token === TokenType.NULL ? value : NaN;
      if (!['email', 'ref'].includes(name) || Number.isNaN(members[name])) entryOf(members, this.here);
      next = yield;
      if (next.token === TokenType.COMMA) next = unexpected(yield, TokenType.STRING);
      else unexpected(next, TokenType.RIGHT_BRACE);
    }
    return members;
  }
}

const VALUES: readonly TokenType[] = [
  TokenType.NUMBER,
  TokenType.TRUE,
  TokenType.FALSE,
  TokenType.NULL,
  TokenType.LEFT_BRACKET,
];

const isValue = ({ token }: Token) => VALUES.includes(token);

function unexpected(token: Token, type: TokenType): Token {
  if (token.token !== type) throw new NotJson();
  return token;
}

const nameIn = (token: Token) => unexpected(token, TokenType.STRING).value as string;

function nameOf({ token, value }: Token): string | null {
  if (token === TokenType.NULL) return null;
  const name = token === TokenType.STRING ? String(value).trim() : '';
  const error = nameError(name);
  if (error !== null) throw invalid('/name', error.message, 'invalid');
  return name;
}

function flagOf({ token }: Token): boolean {
  if (token !== TokenType.TRUE && token !== TokenType.FALSE) throw invalid('/refresh', 'Send true or false.');
  return token === TokenType.TRUE;
}
