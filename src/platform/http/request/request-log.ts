import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { FailedRequests } from '../../../kernel/failed-requests.js';
import type { Principal } from '../../../kernel/principal.js';
import type { Clock } from '../../../kernel/clock.js';
import type { Meter } from '../../../kernel/meter.js';
import type { Log } from '../../telemetry/log.js';
import { requestSpan } from '../../telemetry/open-telemetry-tracing.js';

const HEADER = 'X-Request-Id';
/** Format of ids that clients may send; other values could forge log lines. */
const VALID_ID = /^[A-Za-z0-9._-]{1,64}$/;

const DURATION = 'http_server_request_duration_seconds';
const DEPRECATED_REQUESTS = 'rcpt_deprecated_requests_total';
/** Requested every few seconds by load balancers and Prometheus. */
export const HEALTH_ROUTES = ['/livez', '/readyz', '/metrics'];
/** Methods used as metric labels and in the names of spans. Others are `_OTHER`, so that clients cannot add values. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** A request; the bearer guard sets the members. */
export interface AuthenticatedRequest extends Request {
  principal?: Principal;
  /** Whether the key is still valid, for responses that take long. @throws when the database is not available. */
  isKeyValid?: () => Promise<boolean>;
}

/** The member of `response.locals` with the `code` of the problem that was sent. */
export const PROBLEM_CODE = 'problemCode';

/** The member of `response.locals` that says that the route is deprecated. */
export const IS_DEPRECATED = 'isDeprecated';

/**
 * Sets the request id, records the duration metric and writes one log line per request. The line
 * contains the route template and not the URL, whose query may contain an address. Successful health checks
 * and scrapes are logged at the level `debug`. A failed request of a team is stored, for the team.
 */
export function requestLog(log: Log, clock: Clock, meter: Meter, failed: FailedRequests): RequestHandler {
  return (request: AuthenticatedRequest, response, next) => {
    const sentId = request.headers[HEADER.toLowerCase()];
    const id = typeof sentId === 'string' && VALID_ID.test(sentId) ? sentId : randomUUID();
    response.setHeader(HEADER, id);
    const start = clock.monotonicMs();
    const span = requestSpan();
    // Before the listener of the tracing SDK, which ends the span.
    if (span !== null)
      response.prependOnceListener('close', () => span.setRoute(methodOf(request), routeOf(request)));
    response.once('close', () => {
      const durationMs = clock.monotonicMs() - start;
      const route = routeOf(request);
      meter.observe(DURATION, durationMs / 1000, methodOf(request), route ?? '', String(response.statusCode));
      const isDeprecated = response.locals[IS_DEPRECATED] === true;
      if (isDeprecated) meter.count(DEPRECATED_REQUESTS, methodOf(request), route ?? '');
      const level = HEALTH_ROUTES.includes(route ?? '') && response.statusCode < 400 ? 'debug' : 'info';
      log[level](
        {
          request_id: id,
          method: request.method,
          route,
          status: response.statusCode,
          duration_ms: Math.round(durationMs * 10) / 10,
          team_id: request.principal?.teamId,
          key_id: request.principal?.keyId,
          ...(isDeprecated && { deprecated: true }),
          ...(!response.writableFinished && { aborted: true }),
        },
        'request',
      );
      const { principal } = request;
      if (principal === undefined || response.statusCode < 400) return;
      failed.record({
        requestId: id,
        at: clock.now(),
        teamId: principal.teamId,
        keyId: principal.keyId,
        isPublishable: principal.publishable !== null,
        method: methodOf(request),
        route,
        status: response.statusCode,
        code: (response.locals[PROBLEM_CODE] as string | undefined) ?? null,
        durationMs: Math.round(durationMs),
      });
    });
    next();
  };
}

function routeOf({ route }: Request): string | null {
  return (route as { path?: string } | undefined)?.path ?? null;
}

function methodOf({ method }: Request): string {
  return METHODS.has(method) ? method : '_OTHER';
}

/** The path of the request target in origin or absolute form (RFC 9112 §3.2), without query and fragment, which may contain an address. */
export function pathOf({ originalUrl }: Request): string {
  return /^(?:https?:\/\/[^/?#]*)?([^?#]*)/i.exec(originalUrl)?.[1] || '/';
}

export function requestId(response: Response): string {
  return String(response.getHeader(HEADER));
}
