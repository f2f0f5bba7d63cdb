import { InvalidRequest } from '../../../../kernel/errors.js';
import type { ListEntry } from '../../domain/list-entry.js';
import { entryOf } from './entry-rules.js';
import { ndjsonValues, type LineValue } from './ndjson-values.js';

/** Reads one JSON value per line: a string, or `{"email": …, "ref": …}`. Empty lines are ignored. */
export async function* ndjsonList(
  body: AsyncIterable<Buffer>,
): AsyncGenerator<readonly ListEntry[], void, undefined> {
  let count = 0;
  for await (const values of ndjsonValues(body, atLine)) {
    yield values.map((value) => entryIn(value, `/${count++}`));
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
export function atLine(lineNumber: number, { fieldErrors }: InvalidRequest): InvalidRequest {
  const sentences = fieldErrors.map(({ pointer, message }) => {
    const [, , member] = pointer.split('/');
    return `Line ${lineNumber}${member === undefined ? '' : `, ${member}`}: ${message}`;
  });
  return new InvalidRequest(fieldErrors, sentences.join(' '));
}
