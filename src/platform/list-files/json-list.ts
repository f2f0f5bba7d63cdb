import { TokenParser, TokenType } from '@streamparser/json';
import { type Language, LANGUAGES } from '../../kernel/mail.js';
import type { InvalidRequest } from '../../kernel/errors.js';
import { nameError } from '../../kernel/text/text-rules.js';
import { JsonScanner, type JsonToken } from '../json/json-scanner.js';
import { jsonPointer } from '../http/validation/json-pointer.js';
import { MalformedList } from '../../kernel/list-files/list-file.errors.js';
import type { ListEntry } from '../../kernel/list-files/list-entry.js';
import {
  emptyHeader,
  MAX_AGE,
  type JsonNames,
  type ListHeader,
  type ListPiece,
  type ReadOptions,
  UNIQUE_BY,
  type UniqueBy,
} from '../../kernel/list-files/list-format.js';
import { entryOf, MAX_ENTRY_LENGTH, invalid, noEntry, tooLong } from './entry-rules.js';
import { decoded } from './decoded.js';

/**
 * Reads `{"emails": […], "name": …, "refresh": …, "max_age": …, "notify": …, "unique": …}` as a stream. An entry is dropped when it is read, and
 * a value that is too long is rejected before its end, so that little is in memory, however deep or long the input is.
 * With `names` the body has other members.
 */
export async function* jsonList(
  body: AsyncIterable<Buffer>,
  { json: names }: ReadOptions = {},
): AsyncGenerator<ListPiece, void, undefined> {
  const list = new JsonList(names ?? null);
  for await (const text of decoded(body)) yield list.read(text);
  yield list.end();
}

/** The body, the list, an entry, and a member of it that is refused. */
const MAX_DEPTH = 4;
/** Of `JsonNames.others`. */
const MAX_OTHERS = 30;
const MAX_DEPTH_OF_OTHERS = 8;

class JsonList {
  private readonly listName;
  private readonly scanner;
  private readonly seen = new Set<string>();
  private entries: ListEntry[] = [];
  private header: ListHeader = emptyHeader();
  private count = 0;
  private hasBegun = false;
  /** Objects and arrays that are open. */
  private depth = 0;
  /** The name of the member that is read. */
  private member = '';
  /** Since the last value. */
  private characters = 0;

  constructor(private readonly names: JsonNames | null) {
    this.listName = names?.list ?? 'emails';
    const parser = new TokenParser({ paths: ['$.*', `$.${this.listName}.*`], keepStack: false });
    this.scanner = new JsonScanner(parser, (token) => this.onToken(token));
    parser.onValue = ({ value, key, parent, stack }) => {
      this.characters = 0;
      if (stack.length === 1) return this.addMember(String(key), value);
      if (!Array.isArray(parent)) throw this.notAnArray();
      this.entries.push(this.entryOf(value));
      this.count++;
      // Otherwise the parser keeps all elements until the end of the array.
      parent.pop();
    };
  }

  read(text: string): ListPiece {
    this.characters += text.length;
    requireSound(this.scanner.push(text));
    if (this.characters > MAX_ENTRY_LENGTH)
      throw tooLong(this.isInOther ? jsonPointer([this.member]) : this.pointer);
    const { entries, header } = this;
    this.entries = [];
    return { entries, header };
  }

  end(): ListPiece {
    requireSound(this.scanner.end());
    return { entries: this.entries, header: this.header };
  }

  /** Refuses a value at its beginning: one that is no list may be long, and costs memory for each level. */
  private onToken({ token, value }: JsonToken): void {
    if (!this.hasBegun && token !== TokenType.LEFT_BRACE)
      throw invalid('', `Send an object with the member ${this.listName}.`);
    this.hasBegun = true;
    if (token === TokenType.STRING && this.depth === 1) this.member = String(value);
    if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) this.depth--;
    if (token !== TokenType.LEFT_BRACE && token !== TokenType.LEFT_BRACKET) return;
    if (this.depth === 1 && !this.mayBegin(token)) this.addMember(this.member, undefined);
    this.requireShallow();
    this.depth++;
  }

  private requireShallow(): void {
    if (!this.isInOther) {
      if (this.depth === MAX_DEPTH) throw noEntry(this.pointer);
    } else if (this.depth === MAX_DEPTH_OF_OTHERS)
      throw invalid(
        jsonPointer([this.member]),
        `The body may nest ${MAX_DEPTH_OF_OTHERS} levels deep.`,
        'too_big',
      );
  }

  /** Whether a member may be this object or array. */
  private mayBegin(token: TokenType): boolean {
    if (this.seen.has(this.member)) return false;
    if (this.member === this.listName) return token === TokenType.LEFT_BRACKET;
    return this.names?.others.test(this.member) === true;
  }

  private get isInOther(): boolean {
    return this.names !== null && this.member !== this.listName;
  }

  private get pointer(): string {
    return `/${this.listName}/${this.count}`;
  }

  private notAnArray(): InvalidRequest {
    return invalid(`/${this.listName}`, 'Send an array.');
  }

  private entryOf(value: unknown): ListEntry {
    if (this.names !== null && typeof value !== 'string') throw invalid(this.pointer, 'Send a string.');
    return entryOf(value, this.pointer);
  }

  private addMember(name: string, value: unknown): void {
    if (this.seen.has(name)) throw invalid(jsonPointer([name]), 'Send this member once.', 'repeated');
    this.seen.add(name);
    if (name === this.listName) {
      if (!Array.isArray(value)) throw this.notAnArray();
    } else if (this.names !== null) this.addOther(name, value, this.names);
    else if (name === 'name') this.describe({ name: nameOf(value) });
    else if (name === 'refresh') this.describe({ refresh: flagOf(value) });
    else if (name === 'max_age') this.describe({ maxAge: ageOf(value) });
    else if (name === 'notify') this.describe({ notify: languageOf(value) });
    else if (name === 'unique') this.describe({ uniqueBy: uniqueOf(value) });
    else
      throw invalid(
        jsonPointer([name]),
        'This member is not known. Send emails, and optionally name, refresh, max_age, notify and unique.',
        'unknown_member',
      );
  }

  private addOther(name: string, value: unknown, { others }: JsonNames): void {
    if (!others.test(name))
      throw invalid(jsonPointer([name]), 'This member is not known. Omit it.', 'unknown_member');
    if (this.seen.size > MAX_OTHERS) throw invalid('', `Send at most ${MAX_OTHERS} members.`, 'too_big');
    this.describe({ others: { ...this.header.others, [name]: value } });
  }

  private describe(member: Partial<ListHeader>): void {
    this.header = { ...this.header, ...member };
  }
}

/** The text is not quoted: it may be an address. @throws MalformedList */
function requireSound(error: { line: number; column: number } | null): void {
  if (error !== null)
    throw new MalformedList(`The body is not JSON: see line ${error.line}, column ${error.column}.`);
}

function nameOf(value: unknown): string | null {
  if (value === null) return null;
  const name = typeof value === 'string' ? value.trim() : '';
  const error = nameError(name);
  if (error !== null) throw invalid('/name', error.message, 'invalid');
  return name;
}

function languageOf(value: unknown): Language | null {
  const language = LANGUAGES.find((each) => each === value);
  if (language === undefined && value !== null) throw invalid('/notify', 'Send en, de or null.');
  return language ?? null;
}

function ageOf(value: unknown): number {
  const isAge = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_AGE;
  if (!isAge) throw invalid('/max_age', 'Send a whole number of seconds from 0 to 31,536,000.');
  return value;
}

function uniqueOf(value: unknown): UniqueBy | null {
  const unique = UNIQUE_BY.find((each) => each === value);
  if (unique === undefined && value !== null)
    throw invalid('/unique', `Send ${UNIQUE_BY.join(', ')} or null.`);
  return unique ?? null;
}

function flagOf(value: unknown): boolean {
  if (typeof value !== 'boolean') throw invalid('/refresh', 'Send true or false.');
  return value;
}
