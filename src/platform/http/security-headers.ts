import type { Request, Response } from 'express';
import helmet from 'helmet';

/** For what a browser renders: all headers of helmet. */
const forPages = helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } });

/** For JSON, which no browser renders: the headers that the OWASP REST security cheat sheet lists. */
const API_HEADERS = Object.entries({
  'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
});

/** Caches must not store a response of `/v1`: it belongs to one team, and can contain addresses, people or keys. */
export function setSecurityHeaders(request: Request, response: Response, isApi: boolean): void {
  if (!isApi) return forPages(request, response, () => undefined);
  response.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of API_HEADERS) response.setHeader(name, value);
}
