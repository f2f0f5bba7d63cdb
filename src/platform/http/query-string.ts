import type { FastifyRequest } from 'fastify';
import { MalformedHttp } from './problems.js';

const NOT_ENCODED = 'The query string is not percent-encoded UTF-8 (RFC 3986).';

type Query = Readonly<Record<string, string | string[]>>;

/**
 * Reads a query string so that `?email=jane+news@example.com`, typed as it
 * stands, means what its author meant: a plus sign is a plus sign (RFC 3986
 * §3.4). Form encoding writes a space that way too, and an address has a space
 * only inside quotes, so a value with a quotation mark is read as a form's.
 *
 * A name that is given more than once becomes an array.
 *
 * @throws MalformedHttp
 */
export function parseQueryString(text: string): Query {
  const query: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1));
    const before = query[name];
    query[name] = before === undefined ? value : [before, value].flat();
  }
  return query;
}

/** In place of a query that cannot be read. */
const UNREADABLE: Query = Object.freeze({});

/** The same for the router, which is not to be thrown at. */
export function readQueryString(text: string): Query {
  try {
    return parseQueryString(text);
  } catch {
    return UNREADABLE;
  }
}

/** @throws MalformedHttp when it could not be read. */
export function queryOf(request: FastifyRequest): Query {
  if (request.query === UNREADABLE) throw new MalformedHttp(NOT_ENCODED);
  return request.query as Query;
}

function decode(text: string): string {
  const quoted = /"|%22/.test(text);
  try {
    return decodeURIComponent(quoted ? text.replaceAll('+', ' ') : text);
  } catch {
    throw new MalformedHttp(NOT_ENCODED);
  }
}
