import { DiscoveryService } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { Router, type Express, type Request, type RequestHandler } from 'express';
import type { RequestListener } from 'node:http';
import { Clock } from '../../kernel/clock.js';
import type { DomainError } from '../../kernel/errors.js';
import { FailedRequests } from '../../kernel/failed-requests.js';
import { Meter } from '../../kernel/meter.js';
import { Config } from '../config/config.js';
import { ProcessRoles } from '../config/process-roles.js';
import { Log } from '../telemetry/log.js';
import { BODY_TIMEOUT, BODY_TIMEOUT_MS } from './body/raw-body.js';
import type { PageRouter } from './pages/static-asset.js';
import { serveConsole } from './pages/console-pages.js';
import { serveDocs } from './pages/docs-pages.js';
import { respondsToAnyOrigin, respondsToPreflight } from './cross-origin.js';
import { createHttpServer, TIMEOUTS } from './node-server.js';
import { openApiDocument, type ApiContents } from './openapi/openapi.js';
import { MalformedHttp, MethodNotAllowed, RouteNotFound } from './problems/problems.js';
import { PLAIN_ERRORS, ProblemFilter, problemOf } from './problems/problem.filter.js';
import { ReplayFilter } from './idempotency/replay.filter.js';
import { parseQueryString } from './query-string.js';
import { checkRequest } from './request-checks.js';
import { HEALTH_ROUTES, pathOf, requestLog } from './request/request-log.js';
import { isTargetReadable, withReadableTarget } from './request/request-target.js';
import { controllerRoutes, RouteTable } from './request/route-table.js';
import { setSecurityHeaders } from './security-headers.js';
import { RequestValidationPipe } from './validation/validation.pipe.js';
import { UNREAD, UnreadResponses } from './unread-responses.js';
import { serveWidget } from './pages/widget-files.js';

/** Options of `NestFactory.create`. Guards read the bodies, after all other checks. */
export const NEST_OPTIONS = { bodyParser: false, abortOnError: false } as const;

/** The Express adapter with timeouts for all waits for clients. */
export class BoundedExpressAdapter extends ExpressAdapter {
  /** Set by `configureApp`, because the server is created before the configuration is read. */
  publicUrl = '';
  override initHttpServer(): void {
    const express = this.getInstance<Express>();
    const unread = new UnreadResponses();
    express.set(UNREAD, unread);
    const listener = express as RequestListener;
    const problem = (error: DomainError) => problemOf(error, this.publicUrl);
    this.httpServer = createHttpServer(withReadableTarget(listener), problem, TIMEOUTS, unread);
  }
}

/** Configures middleware, filters, pipes and documentation for all routes, and initializes the application. */
export async function configureApp(app: NestExpressApplication, contents: ApiContents): Promise<void> {
  const config = app.get(Config);
  const log = app.get(Log);
  const { api } = app.get(ProcessRoles);
  const adapter = app.getHttpAdapter() as ExpressAdapter as BoundedExpressAdapter;
  adapter.publicUrl = config.publicUrl;
  const routes = new RouteTable();
  const publishable = new RouteTable();
  const anyOrigin = new RouteTable();
  const plainErrors = new RouteTable();
  for (const { method, path, policy } of controllerRoutes(app.get(DiscoveryService))) {
    routes.add(method, path);
    if (policy.publishableKeysAllowed) publishable.add(method, path);
    if (policy.anyOrigin) anyOrigin.add(method, path);
    if (policy.plainErrors) plainErrors.add(method, path);
  }
  app.disable('x-powered-by').disable('etag').set('trust proxy', config.trustProxy);
  app.set(BODY_TIMEOUT, BODY_TIMEOUT_MS);
  app.set('query parser', (text: string | null) => parseQueryString(text ?? ''));
  app.use(requestLog(log, app.get(Clock), app.get(Meter), app.get(FailedRequests)));
  const pages = Router();
  const listed: PageRouter = {
    get: (path, handler) => {
      routes.add('GET', path);
      pages.get(path, handler);
    },
  };
  app.use(beforeRouting({ routes, publishable, anyOrigin, plainErrors }, pages, api));
  app.useGlobalFilters(new ProblemFilter(log, routes, config.publicUrl), new ReplayFilter());
  app.useGlobalPipes(new RequestValidationPipe());
  if (api) {
    serveDocs(listed, () => openApiDocument(app, contents), contents.errors);
    serveConsole(listed);
    serveWidget(listed);
  }
  await app.init();
}

/**
 * Checks and headers that do not depend on a route of the API.
 *
 * @param tables all routes, those for publishable keys, those for every origin, and those of clients of another product.
 */
function beforeRouting(
  {
    routes,
    publishable,
    anyOrigin,
    plainErrors,
  }: Record<'routes' | 'publishable' | 'anyOrigin' | 'plainErrors', RouteTable>,
  pages: Router,
  api: boolean,
): RequestHandler {
  return (request, response, next) => {
    const path = pathOf(request);
    // Express matches paths in any case.
    const isApi = /^\/v[01]\//i.test(path);
    setSecurityHeaders(request, response, isApi);
    if (plainErrors.methodsOf(path).length > 0) response.locals[PLAIN_ERRORS] = true;
    refuseMalformed(request, path);
    // A worker serves only health checks and metrics, not the routes of its modules.
    if (!api && !HEALTH_ROUTES.includes(path)) throw new RouteNotFound('No route has this path.');
    if (respondsToAnyOrigin(request, response, anyOrigin.methodsOf(path))) return;
    if (respondsToPreflight(request, response, publishable.methodsOf(path))) return;
    // For a fixed path: `DELETE …/pending` is not a request of the route `DELETE …/:domain`.
    if (routes.refuses(request.method, path)) throw new MethodNotAllowed(routes.methodsOf(path));
    // Express compares a path with one route after the other, and most requests are for the API.
    if (isApi) next();
    else pages(request, response, next);
  };
}

/** RFC 9112 §3.2, RFC 3986 §2.1. */
function refuseMalformed(request: Request, path: string): void {
  checkRequest(request);
  // Express parses the query at each access. Here the parser throws for a malformed one, and no access parses it again.
  Object.defineProperty(request, 'query', { value: request.query });
  const hasFragment = !request.url.startsWith('/') && request.url.includes('#');
  if (!isTargetReadable(request) || hasFragment || !isDecodable(path))
    throw new MalformedHttp('Send a path in percent-encoded UTF-8 (RFC 3986).');
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
