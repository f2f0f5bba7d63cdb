import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { isForm } from './body/form-body.guard.js';
import { pathOf } from './request/request-log.js';

/** For what a browser renders: all headers of helmet. */
const forPages = helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } });

/**
 * For JSON, which no browser renders: the headers that the OWASP REST security cheat sheet lists. All
 * headers of helmet took about 4 % of the CPU time of a cached verdict.
 */
const forApi = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  crossOriginOpenerPolicy: false,
  crossOriginResourcePolicy: false,
  originAgentCluster: false,
  referrerPolicy: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xPoweredBy: false,
  xXssProtection: false,
});

/**
 * A form posted to `/v1` gets a page. Caches must not store a response of `/v1`: it belongs to one team, and
 * can contain addresses, people or keys.
 */
export const securityHeaders: RequestHandler = (request, response, next) => {
  // Express matches paths in any case.
  const isApi = /^\/v1\//i.test(pathOf(request));
  if (isApi) response.setHeader('Cache-Control', 'no-store');
  (isApi && !isForm(request) ? forApi : forPages)(request, response, next);
};
