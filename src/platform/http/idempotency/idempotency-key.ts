import { createHash } from 'node:crypto';
import { hasScope } from '../../../kernel/principal.js';
import type { KeyScope } from '../../database/idempotency/idempotency-store.js';
import { InvalidIdempotencyKey } from './idempotency.errors.js';
import type { AuthenticatedRequest } from '../request/request-log.js';
import { setPolicy } from '../request/route-policy.js';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;
/** RFC 9651 §3.3.3: within quotes a backslash only escapes a quote or a backslash. */
const QUOTED = /^"((?:[^"\\]|\\["\\])*)"$/;

/**
 * For a route that calls a provider or uses several units of work: handler and response are not stored
 * in one unit of work. The handler must be idempotent, because the process may die before the response
 * is stored; or it calls `storeResponse` in its last unit of work.
 */
export const MultipleTransactions = () => setPolicy('multipleTransactions', true);

/** Members of the response that contain a secret on this route. They are stored and replayed as null. */
export const ShownOnce = (...members: readonly string[]) => setPolicy('shownOnce', members);

/**
 * The idempotency key of a request; null if there is none or the request does not support it. That of a
 * publishable key is ignored: keys belong to the team, and its responses are not for the visitors of a page.
 *
 * @throws InvalidIdempotencyKey
 */
export function keyScopeOf(request: AuthenticatedRequest): KeyScope | null {
  const header = request.headers['idempotency-key'];
  const { principal } = request;
  if (request.method !== 'POST' || principal === undefined || header === undefined) return null;
  if (principal.publishable) return null;
  const digest = createHash('sha256')
    .update(parseIdempotencyKey(String(header)))
    .digest();
  return { teamId: principal.teamId, mode: principal.mode, digest };
}

/**
 * Method, path, the parameters of the query, and the scopes of a limited credential. Together with the body they identify
 * the request of a key: what one credential may read is not replayed to another that may not.
 */
export function routeOf({ method, path, originalUrl, principal }: AuthenticatedRequest): string {
  const limits = principal === undefined || hasScope(principal, []) ? [] : [...principal.scopes].sort();
  return [method, `${path}${queryOf(originalUrl)}`, ...limits].join(' ');
}

/** In the order of the names: the same parameters in another order are the same request. */
function queryOf(url: string): string {
  const at = url.indexOf('?');
  if (at < 0) return '';
  const parameters = new URLSearchParams(url.slice(at + 1));
  parameters.sort();
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}

/** Removes the quotes of a quoted key. @throws InvalidIdempotencyKey */
export function parseIdempotencyKey(header: string): string {
  const text = header.trim();
  const key = text.startsWith('"') ? QUOTED.exec(text)?.[1]?.replaceAll(/\\(.)/g, '$1') : text;
  if (key === undefined || !PRINTABLE.test(key)) throw new InvalidIdempotencyKey();
  return key;
}
