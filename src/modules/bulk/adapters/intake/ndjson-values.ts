import { jsonErrorIn } from '../../../../platform/http/body/json-error.js';
import { MalformedList } from '../../domain/bulk.errors.js';
import type { InvalidRequest } from '../../../../kernel/errors.js';
import { MAX_ENTRY_LENGTH, tooLong } from './entry-rules.js';
import { utf8Text } from './utf8-text.js';

/** A value and its line, from 1. */
export interface LineValue {
  value: unknown;
  line: number;
}

/**
 * Reads one JSON value per line. Empty lines are ignored.
 *
 * @param named adds the line to the sentence of an error.
 */
export async function* ndjsonValues(
  body: AsyncIterable<Buffer>,
  named: (line: number, error: InvalidRequest) => InvalidRequest,
): AsyncGenerator<readonly LineValue[], void, undefined> {
  let rest = '';
  let count = 0;
  let lineNumber = 0;
  const read = (lines: readonly string[]) => {
    const values: LineValue[] = [];
    for (const line of lines) {
      lineNumber++;
      if (line.length > MAX_ENTRY_LENGTH) throw named(lineNumber, tooLong(`/${count}`));
      if (line.trim() === '') continue;
      values.push({ value: parse(line, lineNumber), line: lineNumber });
      count++;
    }
    return values;
  };
  for await (const text of utf8Text(body)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield read(lines);
    if (rest.length > MAX_ENTRY_LENGTH) throw named(lineNumber + 1, tooLong(`/${count}`));
  }
  yield read([rest]);
}

function parse(line: string, lineNumber: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    const { column } = jsonErrorIn(line);
    throw new MalformedList(
      `Line ${lineNumber} is not one JSON value: see column ${column}. Send one entry per line.`,
    );
  }
}
