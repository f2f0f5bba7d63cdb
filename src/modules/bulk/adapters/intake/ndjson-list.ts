import { jsonFaultIn } from '../../../../platform/http/body/json-fault.js';
import { InvalidRequest } from '../../../../kernel/errors/invalid-request.js';
import { MalformedList } from '../../domain/bulk.errors.js';
import type { ListEntry } from '../../domain/list-entry.js';
import { entryOf, MAX_ENTRY_LENGTH, tooLong } from './entry-rules.js';
import { utf8Text } from './utf8-text.js';

/** Reads one JSON value per line: a string, or `{"email": …, "ref": …}`. Empty lines are ignored. */
export async function* ndjsonList(
  body: AsyncIterable<Buffer>,
): AsyncGenerator<readonly ListEntry[], void, undefined> {
  let rest = '';
  let count = 0;
  let lineNumber = 0;
  const read = (lines: readonly string[]) => {
    const entries: ListEntry[] = [];
    for (const line of lines) {
      lineNumber++;
      if (line.length > MAX_ENTRY_LENGTH) throw atLine(lineNumber, tooLong(`/${count}`));
      if (line.trim() === '') continue;
      entries.push(entryIn(line, lineNumber, `/${count}`));
      count++;
    }
    return entries;
  };
  for await (const text of utf8Text(body)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield read(lines);
    if (rest.length > MAX_ENTRY_LENGTH) throw atLine(lineNumber + 1, tooLong(`/${count}`));
  }
  yield read([rest]);
}

function entryIn(line: string, lineNumber: number, pointer: string): ListEntry {
  const value = parse(line, lineNumber);
  try {
    return entryOf(value, pointer);
  } catch (error) {
    throw error instanceof InvalidRequest ? atLine(lineNumber, error) : error;
  }
}

/** The sentence names the line and the member; the pointer remains in `errors`. */
function atLine(lineNumber: number, { fieldErrors }: InvalidRequest): InvalidRequest {
  const sentences = fieldErrors.map(({ pointer, message }) => {
    const [, , member] = pointer.split('/');
    return `Line ${lineNumber}${member === undefined ? '' : `, ${member}`}: ${message}`;
  });
  return new InvalidRequest(fieldErrors, sentences.join(' '));
}

function parse(line: string, lineNumber: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    const { column } = jsonFaultIn(line);
    throw new MalformedList(
      `Line ${lineNumber} is not one JSON value: see column ${column}. Send one entry per line.`,
    );
  }
}
