import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Principal } from '../../kernel/principal.js';
import type { Clock } from '../../kernel/clock.js';
import type { Meter } from '../../kernel/meter.js';
import type { Log } from '../telemetry/log.js';
import { requestStorage } from '../telemetry/request-context.js';

const HEADER = 'X-Request-Id';
/** What a caller's own id may look like; anything else could forge a log line. */
const ACCEPTABLE = /^[A-Za-z0-9._-]{1,64}$/;

const DURATION = 'http_server_request_duration_seconds';
/** A caller may send any word as a method; a label must not grow by it. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** A request once the bearer guard has seen it. */
export interface AuthenticatedRequest extends Request {
  principal?: Principal;
}

/**
 * Gives every request an id, which every answer carries, counts it, and writes one line
 * when it is over: the route's template, never the URL, whose query may hold an
 * address.
 */
export function requestLog(log: Log, clock: Clock, meter: Meter): RequestHandler {
  return (request: AuthenticatedRequest, response, next) => {
    const given = request.headers[HEADER.toLowerCase()];
    const id = typeof given === 'string' && ACCEPTABLE.test(given) ? given : randomUUID();
    response.setHeader(HEADER, id);
    const start = clock.monotonicMs();
    response.once('close', () => {
      const durationMs = clock.monotonicMs() - start;
      const route = (request.route as { path?: string } | undefined)?.path ?? null;
      const method = METHODS.has(request.method) ? request.method : '_OTHER';
      meter.observe(DURATION, durationMs / 1000, method, route ?? '', String(response.statusCode));
      log.info(
        {
          request_id: id,
          method: request.method,
          route,
          status: response.statusCode,
          duration_ms: Math.round(durationMs * 10) / 10,
          team_id: request.principal?.teamId,
          key_id: request.principal?.keyId,
          ...(!response.writableFinished && { aborted: true }),
        },
        'request',
      );
    });
    requestStorage.run({ requestId: id, ip: request.ip ?? '', principal: null }, next);
  };
}

/** The path of the request target in either form (RFC 9112 §3.2), without its query and fragment, which may hold an address. */
export function pathOf({ originalUrl }: Request): string {
  return /^(?:https?:\/\/[^/?#]*)?([^?#]*)/i.exec(originalUrl)?.[1] || '/';
}

export function requestId(response: Response): string {
  return String(response.getHeader(HEADER));
}
