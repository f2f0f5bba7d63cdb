import { Tokenizer, TokenType } from '@streamparser/json';
import { NameField } from '../../../platform/http/fields.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { MalformedList } from '../bulk.errors.js';
import type { ListEntry } from '../domain/list-entry.js';
import type { ListHeader } from '../domain/list-reader.js';
import { entryOf, LONGEST_ENTRY, notAnEntry, refuse, segment, tooLong } from './entry-rules.js';
import { utf8Text } from './utf8-text.js';

interface Token {
  token: TokenType;
  value: unknown;
}

/** Reads tokens as they come; is told of one after the other. */
type Reading<Result = void> = Generator<undefined, Result, Token>;

/**
 * Reads `{"emails": […], "name": …, "refresh": …}`. The tokens are a library's; what may stand where
 * is said here, so that nothing is held but the entry under way, however deep or long the text is.
 */
export async function* jsonList(
  body: AsyncIterable<Buffer>,
  header: ListHeader,
): AsyncGenerator<readonly ListEntry[], void, undefined> {
  const list = new JsonList(header);
  for await (const text of utf8Text(body)) yield list.read(text);
  list.end();
}

class JsonList {
  private readonly tokenizer = new Tokenizer();
  private readonly reading: Reading;
  private entries: ListEntry[] = [];
  private count = 0;
  private heard = false;
  private charactersOfToken = 0;
  private readonly seen = new Set<string>();

  constructor(private readonly header: ListHeader) {
    this.reading = this.document();
    this.reading.next();
    this.tokenizer.onToken = (token) => {
      this.heard = true;
      this.reading.next(token);
    };
  }

  read(text: string): ListEntry[] {
    this.heard = false;
    this.strictly(() => this.tokenizer.write(text));
    this.charactersOfToken = this.heard ? 0 : this.charactersOfToken + text.length;
    if (this.charactersOfToken > LONGEST_ENTRY) throw tooLong(this.here);
    const { entries } = this;
    this.entries = [];
    return entries;
  }

  end(): void {
    this.strictly(() => this.tokenizer.end());
    // Only what is whole has come to its end.
    if (!this.tokenizer.isEnded || !this.isWhole) throw broken();
  }

  private isWhole = false;

  private get here(): string {
    return `/emails/${this.count}`;
  }

  private strictly(work: () => void): void {
    try {
      work();
    } catch (error) {
      throw error instanceof DomainError ? error : broken();
    }
  }

  private *document(): Reading {
    if ((yield).token !== TokenType.LEFT_BRACE)
      throw refuse('', 'Send an object with the member emails.', 'invalid_type');
    for (let next = yield; next.token !== TokenType.RIGHT_BRACE;) {
      yield* this.member(nameIn(next));
      next = yield;
      if (next.token === TokenType.COMMA) next = wanted(yield, TokenType.STRING);
      else wanted(next, TokenType.RIGHT_BRACE);
    }
    this.isWhole = true;
    yield;
    throw broken();
  }

  private *member(name: string): Reading {
    if (this.seen.has(name)) throw refuse(`/${segment(name)}`, 'Send this once.', 'repeated');
    this.seen.add(name);
    wanted(yield, TokenType.COLON);
    const value = yield;
    if (name === 'emails') yield* this.emails(value);
    else if (name === 'name') this.header.name = nameOf(value);
    else if (name === 'refresh') this.header.refresh = flagOf(value);
    else
      throw refuse(
        `/${segment(name)}`,
        'This is not known here. Send emails, and perhaps name and refresh.',
        'unknown_member',
      );
  }

  private *emails(first: Token): Reading {
    if (first.token !== TokenType.LEFT_BRACKET) throw refuse('/emails', 'Send an array.');
    let next = yield;
    if (next.token === TokenType.RIGHT_BRACKET) return;
    for (;;) {
      const value = next.token === TokenType.LEFT_BRACE ? yield* this.object() : next.value;
      if (next.token !== TokenType.LEFT_BRACE && next.token !== TokenType.STRING)
        throw isValue(next) ? notAnEntry(this.here) : broken();
      this.entries.push(entryOf(value, this.here));
      this.count++;
      next = yield;
      if (next.token === TokenType.RIGHT_BRACKET) return;
      wanted(next, TokenType.COMMA);
      next = yield;
    }
  }

  /** An entry with members; what is no member of an entry is refused by name, whatever its value. */
  private *object(): Reading<Record<string, unknown>> {
    const members: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    for (let next = yield; next.token !== TokenType.RIGHT_BRACE;) {
      const name = nameIn(next);
      wanted(yield, TokenType.COLON);
      const { token, value } = yield;
      members[name] = token === TokenType.STRING || token === TokenType.NULL ? value : NaN;
      if (!['email', 'ref'].includes(name) || Number.isNaN(members[name])) entryOf(members, this.here);
      next = yield;
      if (next.token === TokenType.COMMA) next = wanted(yield, TokenType.STRING);
      else wanted(next, TokenType.RIGHT_BRACE);
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

function wanted(token: Token, type: TokenType): Token {
  if (token.token !== type) throw broken();
  return token;
}

const nameIn = (token: Token) => wanted(token, TokenType.STRING).value as string;

function nameOf({ token, value }: Token): string | null {
  if (token === TokenType.NULL) return null;
  const name = NameField.safeParse(token === TokenType.STRING ? value : undefined);
  if (!name.success) throw refuse('/name', name.error.issues[0]?.message ?? 'Send a name.', 'invalid');
  return name.data;
}

function flagOf({ token }: Token): boolean {
  if (token !== TokenType.TRUE && token !== TokenType.FALSE) throw refuse('/refresh', 'Send true or false.');
  return token === TokenType.TRUE;
}

function broken(): MalformedList {
  return new MalformedList('The body is not JSON in UTF-8, or ended before it was whole.');
}
