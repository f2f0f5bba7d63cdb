import { InvalidRequest } from '../../kernel/errors.js';
import { jsonPointer } from './validation/json-pointer.js';
import { MalformedHttp } from './problems/problems.js';

/** More than any route needs, repeated names included. */
const MAX_PAIRS = 100;

export type Query = Readonly<Record<string, string | string[]>>;

/** The parameter in which a plus sign is a plus sign (RFC 3986 §3.4). */
const ADDRESS = 'email';

/**
 * Parses a query string. A plus sign is a space, as HTML forms, `URLSearchParams` and
 * most clients write it. In `email` it is a plus sign, so that
 * `?email=jane+news@example.com` works without encoding. An address contains a space
 * only inside quotes, so a value with a quotation mark is decoded as form data there too.
 *
 * A repeated name gives an array.
 *
 * @throws MalformedHttp, InvalidRequest if there are too many pairs.
 */
export function parseQueryString(queryString: string): Query {
  const query: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  let pairs = 0;
  for (const pair of queryString.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decodeForm(equals < 0 ? pair : pair.slice(0, equals));
    if (++pairs > MAX_PAIRS) throw tooManyPairs(name);
    const text = equals < 0 ? '' : pair.slice(equals + 1);
    const value = name === ADDRESS && !/"|%22/.test(text) ? decode(text) : decodeForm(text);
    const previous = query[name];
    if (previous === undefined) query[name] = value;
    else if (Array.isArray(previous)) previous.push(value);
    else query[name] = [previous, value];
  }
  return query;
}

/** @param name of the first pair beyond the limit. */
function tooManyPairs(name: string): InvalidRequest {
  const message = `A query may have at most ${MAX_PAIRS} parameters.`;
  return new InvalidRequest([{ pointer: jsonPointer([name]), code: 'too_many_parameters', message }]);
}

function decodeForm(text: string): string {
  return decode(text.replaceAll('+', ' '));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new MalformedHttp('The query string is not percent-encoded UTF-8 (RFC 3986).');
  }
}
