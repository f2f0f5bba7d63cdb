import type { Request, Response } from 'express';
import { webOriginOf } from '../../kernel/text/web-origin.js';

/** Headers that scripts may read. */
const EXPOSED_HEADERS = 'Retry-After, RateLimit, RateLimit-Policy, X-Request-Id';
/** Browsers limit it: Chromium to two hours, Firefox to a day. */
const MAX_AGE_SECONDS = '86400';

/**
 * Responds to the preflight requests of browsers (Fetch §4.8) for routes that accept publishable keys. A
 * preflight has no key, so its response is the same for every origin; the response to the request itself
 * can be read by the origins of its key only.
 *
 * @param methods those of the path with `@AllowPublishableKeys()`.
 */
export function respondsToPreflight(
  request: Request,
  response: Response,
  methods: readonly string[],
): boolean {
  if (methods.length === 0) return false;
  response.setHeader('Vary', 'Origin');
  const { origin, 'access-control-request-method': method } = request.headers;
  if (request.method !== 'OPTIONS' || origin === undefined || method === undefined) return false;
  allowOrigin(response, origin);
  // HEAD is always allowed (Fetch §2.2.1).
  const named = methods.filter((name) => name !== 'HEAD');
  response.setHeader('Access-Control-Allow-Methods', named.join(', '));
  response.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type');
  response.setHeader('Access-Control-Max-Age', MAX_AGE_SECONDS);
  response.status(204).end();
  return true;
}

/** Of the routes for every origin: a client reads how it gets a token, and what it may have to wait for. */
const OF_ANY_ORIGIN = `${EXPOSED_HEADERS}, WWW-Authenticate, Mcp-Session-Id, MCP-Protocol-Version`;
/** The wildcard is for those that are not known here; it does not stand for `Authorization` (Fetch §3.3.2). */
const TAKEN_HEADERS =
  'Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID, Idempotency-Key, *';

/**
 * Lets scripts in pages of every origin read the responses of routes with `@AnyOrigin()`, errors included, without
 * credentials of the browser. @returns whether it has responded to a preflight request.
 *
 * @param methods those of the path.
 */
export function respondsToAnyOrigin(
  request: Request,
  response: Response,
  methods: readonly string[],
): boolean {
  if (methods.length === 0) return false;
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', OF_ANY_ORIGIN);
  const { origin, 'access-control-request-method': method } = request.headers;
  if (request.method !== 'OPTIONS' || origin === undefined || method === undefined) return false;
  response.setHeader('Access-Control-Allow-Methods', methods.filter((name) => name !== 'HEAD').join(', '));
  response.setHeader('Access-Control-Allow-Headers', TAKEN_HEADERS);
  response.setHeader('Access-Control-Max-Age', MAX_AGE_SECONDS);
  response.status(204).end();
  return true;
}

/** Lets scripts in pages of the origin read the response. */
export function allowOrigin(response: Response, origin: string | undefined): void {
  if (origin === undefined || webOriginOf(origin) !== origin) return;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
}
