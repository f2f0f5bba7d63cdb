import { InvalidRequest } from '../../kernel/errors.js';
import { jsonErrorIn } from '../json/json-scanner.js';
import { MalformedList } from '../../kernel/list-files/list-file.errors.js';
import type { ListEntry } from '../../kernel/list-files/list-entry.js';
import { emptyHeader, type ListOptions, type ListPiece } from '../../kernel/list-files/list-format.js';
import { entryOf, MAX_ENTRY_LENGTH, tooLong } from './entry-rules.js';
import { decoded } from './decoded.js';

interface LineValue {
  value: unknown;
  /** From 1. */
  line: number;
}

/** Reads one JSON value per line: a string, or `{"email": …, "ref": …}`. Empty lines are ignored. */
export async function* ndjsonList(
  body: AsyncIterable<Buffer>,
  { lines }: ListOptions = {},
): AsyncGenerator<ListPiece, void, undefined> {
  const header = emptyHeader();
  let count = 0;
  for await (const values of ndjsonValues(body)) {
    const entries = values.map((value) => {
      const entry = entryIn(value, `/${count++}`);
      return lines === true ? { ...entry, line: value.line } : entry;
    });
    yield { entries, header };
  }
}

/** Reads one JSON value per line. Empty lines are ignored. */
export async function* ndjsonValues(
  body: AsyncIterable<Buffer>,
): AsyncGenerator<readonly LineValue[], void, undefined> {
  let rest = '';
  let count = 0;
  let line = 0;
  const read = (texts: readonly string[]) => {
    const values: LineValue[] = [];
    for (const text of texts) {
      line++;
      if (text.length > MAX_ENTRY_LENGTH) throw atLine(line, tooLong(`/${count}`));
      if (text.trim() === '') continue;
      values.push({ value: parse(text, line), line });
      count++;
    }
    return values;
  };
  for await (const text of decoded(body)) {
    const texts = (rest + text).split('\n');
    rest = texts.pop() ?? '';
    yield read(texts);
    if (rest.length > MAX_ENTRY_LENGTH) throw atLine(line + 1, tooLong(`/${count}`));
  }
  yield read([rest]);
}

function parse(text: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const { column } = jsonErrorIn(text);
    throw new MalformedList(
      `Line ${line} is not one JSON value: see column ${column}. Send one entry per line.`,
    );
  }
}

function entryIn({ value, line }: LineValue, pointer: string): ListEntry {
  try {
    return entryOf(value, pointer);
  } catch (error) {
    throw error instanceof InvalidRequest ? atLine(line, error) : error;
  }
}

/** The sentence names the line and the member; the pointer remains in `errors`. */
function atLine(line: number, { fieldErrors }: InvalidRequest): InvalidRequest {
  const sentences = fieldErrors.map(({ pointer, message }) => {
    const [, , member] = pointer.split('/');
    return `Line ${line}${member === undefined ? '' : `, ${member}`}: ${message}`;
  });
  return new InvalidRequest(fieldErrors, sentences.join(' '));
}
