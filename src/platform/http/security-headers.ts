import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { isForm } from './body/form-body.guard.js';
import { pathOf } from './request/request-log.js';

/** For what a browser renders: all headers of helmet. */
const forPages = helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } });

/** For JSON, which no browser renders: the headers that the OWASP REST security cheat sheet lists. */
const API_HEADERS = {
  'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
};

/**
 * A form posted to `/v1` gets a page. Caches must not store a response of `/v1`: it belongs to one team, and
 * can contain addresses, people or keys.
 */
export const securityHeaders: RequestHandler = (request, response, next) => {
  // Express matches paths in any case.
  const isApi = /^\/v1\//i.test(pathOf(request));
  if (isApi) response.setHeader('Cache-Control', 'no-store');
  if (!isApi || isForm(request)) return forPages(request, response, next);
  response.set(API_HEADERS);
  next();
};
