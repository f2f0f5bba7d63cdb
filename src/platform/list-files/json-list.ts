import { TokenParser, TokenType } from '@streamparser/json';
import { type Language, LANGUAGES } from '../../kernel/mail.js';
import { nameError } from '../../kernel/text/text-rules.js';
import { JsonScanner, type JsonToken } from '../http/body/json-error.js';
import { jsonPointer } from '../http/validation/validation-errors.js';
import { MalformedList } from '../../kernel/list-files/list-file.errors.js';
import type { ListEntry } from '../../kernel/list-files/list-entry.js';
import { MAX_AGE, type ListHeader, UNIQUE_BY, type UniqueBy } from '../../kernel/list-files/list-format.js';
import { entryOf, MAX_ENTRY_LENGTH, invalid, noEntry, tooLong } from './entry-rules.js';
import { decoded } from './decoded.js';

/**
 * Reads `{"emails": […], "name": …, "refresh": …, "max_age": …, "notify": …, "unique": …}` as a stream. An entry is dropped when it is read, and
 * a value that is too long is rejected before its end, so that little is in memory, however deep or long the input is.
 */
export async function* jsonList(
  body: AsyncIterable<Buffer>,
  header: ListHeader,
): AsyncGenerator<readonly ListEntry[], void, undefined> {
  const list = new JsonList(header);
  for await (const text of decoded(body)) yield list.read(text);
  yield list.end();
}

/** The body, the list, an entry, and a member of it that is refused. */
const MAX_DEPTH = 4;

class JsonList {
  private readonly parser = new TokenParser({ paths: ['$.*', '$.emails.*'], keepStack: false });
  private readonly scanner = new JsonScanner(this.parser, (token) => this.onToken(token));
  private readonly seen = new Set<string>();
  private entries: ListEntry[] = [];
  private count = 0;
  private hasBegun = false;
  /** Objects and arrays that are open. */
  private depth = 0;
  /** The name of the member that is read. */
  private member = '';
  /** Since the last value. */
  private characters = 0;

  constructor(private readonly header: ListHeader) {
    this.parser.onValue = ({ value, key, parent, stack }) => {
      this.characters = 0;
      if (stack.length === 1) return this.addMember(String(key), value);
      if (!Array.isArray(parent)) throw notAnArray();
      this.entries.push(entryOf(value, `/emails/${this.count}`));
      this.count++;
      // Otherwise the parser keeps all elements until the end of the array.
      parent.pop();
    };
  }

  read(text: string): ListEntry[] {
    this.characters += text.length;
    requireSound(this.scanner.push(text));
    if (this.characters > MAX_ENTRY_LENGTH) throw tooLong(`/emails/${this.count}`);
    const { entries } = this;
    this.entries = [];
    return entries;
  }

  end(): ListEntry[] {
    requireSound(this.scanner.end());
    return this.entries;
  }

  /** Refuses a value at its beginning: one that is no list may be long, and costs memory for each level. */
  private onToken({ token, value }: JsonToken): void {
    if (!this.hasBegun && token !== TokenType.LEFT_BRACE)
      throw invalid('', 'Send an object with the member emails.');
    this.hasBegun = true;
    if (token === TokenType.STRING && this.depth === 1) this.member = String(value);
    if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) this.depth--;
    if (token !== TokenType.LEFT_BRACE && token !== TokenType.LEFT_BRACKET) return;
    const isList = this.member === 'emails' && token === TokenType.LEFT_BRACKET;
    if (this.depth === 1 && (!isList || this.seen.has('emails'))) this.addMember(this.member, undefined);
    if (this.depth === MAX_DEPTH) throw noEntry(`/emails/${this.count}`);
    this.depth++;
  }

  private addMember(name: string, value: unknown): void {
    if (this.seen.has(name)) throw invalid(jsonPointer([name]), 'Send this member once.', 'repeated');
    this.seen.add(name);
    if (name === 'name') this.header.name = nameOf(value);
    else if (name === 'refresh') this.header.refresh = flagOf(value);
    else if (name === 'max_age') this.header.maxAge = ageOf(value);
    else if (name === 'notify') this.header.notify = languageOf(value);
    else if (name === 'unique') this.header.uniqueBy = uniqueOf(value);
    else if (name !== 'emails')
      throw invalid(
        jsonPointer([name]),
        'This member is not known. Send emails, and optionally name, refresh, max_age, notify and unique.',
        'unknown_member',
      );
    else if (!Array.isArray(value)) throw notAnArray();
  }
}

/** The text is not quoted: it may be an address. @throws MalformedList */
function requireSound(error: { line: number; column: number } | null): void {
  if (error !== null)
    throw new MalformedList(`The body is not JSON: see line ${error.line}, column ${error.column}.`);
}

const notAnArray = () => invalid('/emails', 'Send an array.');

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
