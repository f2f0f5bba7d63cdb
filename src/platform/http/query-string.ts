import type { IncomingMessage } from 'node:http';
import { InvalidRequest } from '../../kernel/invalid-request.js';
import { jsonPointer } from './json-pointer.js';
import { MalformedHttp } from './problems.js';

/** More than any route takes; one name may stand in all of them. */
const MOST_PAIRS = 100;

export type Query = Readonly<Record<string, string | string[]>>;

/**
 * Reads a query string so that `?email=jane+news@example.com`, typed as it
 * stands, means what its author meant: a plus sign is a plus sign (RFC 3986
 * §3.4). Form encoding writes a space that way too, and an address has a space
 * only inside quotes, so a value with a quotation mark is read as a form's.
 *
 * A name that is given more than once becomes an array.
 *
 * @throws MalformedHttp, InvalidRequest when it has too many pairs.
 */
export function parseQueryString(text: string): Query {
  const query: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  let pairs = 0;
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    if (++pairs > MOST_PAIRS) throw tooManyPairs(name);
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1));
    const before = query[name];
    if (before === undefined) query[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else query[name] = [before, value];
  }
  return query;
}

/** What stands between the first question mark of the request target and its fragment. @throws as `parseQueryString`. */
export function queryOf({ url = '' }: Pick<IncomingMessage, 'url'>): Query {
  return parseQueryString(/^[^?#]*\?([^#]*)/.exec(url)?.[1] ?? '');
}

/** @param name of the first pair beyond the limit. */
function tooManyPairs(name: string): InvalidRequest {
  const message = `A query may have at most ${MOST_PAIRS} parameters.`;
  return new InvalidRequest([{ pointer: jsonPointer([name]), code: 'too_many_parameters', message }]);
}

function decode(text: string): string {
  const quoted = /"|%22/.test(text);
  try {
    return decodeURIComponent(quoted ? text.replaceAll('+', ' ') : text);
  } catch {
    throw new MalformedHttp('The query string is not percent-encoded UTF-8 (RFC 3986).');
  }
}
