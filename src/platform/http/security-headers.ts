import type { Request, Response } from 'express';
import helmet from 'helmet';
import { isForm } from './body/form-body.guard.js';

/** For what a browser renders: all headers of helmet. */
const forPages = helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } });

/** For JSON, which no browser renders: the headers that the OWASP REST security cheat sheet lists. */
const API_HEADERS = Object.entries({
  'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
});

/**
 * A form posted to `/v1` gets a page. Caches must not store a response of `/v1`: it belongs to one team, and
 * can contain addresses, people or keys.
 */
export function setSecurityHeaders(request: Request, response: Response, isApi: boolean): void {
  if (isApi) response.setHeader('Cache-Control', 'no-store');
  if (!isApi || isForm(request)) return forPages(request, response, () => undefined);
  for (const [name, value] of API_HEADERS) response.setHeader(name, value);
}
