import { MalformedHttp } from './problems.js';

type Query = Readonly<Record<string, string | string[]>>;

/** Express has the text read anew each time somebody looks at `request.query`. */
let last: { text: string | null; query: Query } = { text: '', query: {} };

/**
 * Reads a query string so that `?email=jane+news@example.com`, typed as it
 * stands, means what its author meant: a plus sign is a plus sign (RFC 3986
 * §3.4). Form encoding writes a space that way too, and an address has a space
 * only inside quotes, so a value with a quotation mark is read as a form's.
 *
 * A name that is given more than once becomes an array.
 */
export function parseQueryString(text: string | null): Query {
  if (text !== last.text) last = { text, query: Object.freeze(parse(text)) };
  return last.query;
}

function parse(text: string | null): Query {
  const query: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  for (const pair of (text ?? '').split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1));
    const before = query[name];
    query[name] = before === undefined ? value : [before, value].flat();
  }
  return query;
}

function decode(text: string): string {
  const quoted = /"|%22/.test(text);
  try {
    return decodeURIComponent(quoted ? text.replaceAll('+', ' ') : text);
  } catch {
    throw new MalformedHttp('The query string is not percent-encoded UTF-8 (RFC 3986).');
  }
}
