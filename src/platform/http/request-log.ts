import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from '../../kernel/language.js';
import type { Clock } from '../../kernel/clock.js';
import type { Meter } from '../../kernel/meter.js';
import type { Log } from '../telemetry/log.js';
import { inRequest } from './request-context.js';

const HEADER = 'x-request-id';
/** What a caller's own id may look like; anything else could forge a log line. */
const ACCEPTABLE = /^[A-Za-z0-9._-]{1,64}$/;

/** The route whose speed is promised: it changes nothing and logs nothing of its own, and being ambient is dear. */
const VERIFY = '/v1/verify';

const DURATION = 'http_server_request_duration_seconds';
/** A caller may send any word as a method; a label must not grow by it. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** A request once the bearer guard has seen it. */
export interface AuthenticatedRequest extends FastifyRequest {
  principal?: Principal;
}

/** The caller's own, if it can be taken for one. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers[HEADER];
  return typeof given === 'string' && ACCEPTABLE.test(given) ? given : randomUUID();
}

/**
 * Has every answer carry the request's id, counts it, and writes one line when it is over: the
 * route's template, never the URL, whose query may hold an address.
 */
export function requestLog(log: Log, clock: Clock, meter: Meter) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const { id, method } = request;
    const { raw } = reply;
    const known: AuthenticatedRequest = request;
    const route = request.routeOptions.url ?? null;
    const start = clock.monotonicMs();
    reply.header(HEADER, id);
    raw.once('close', () => {
      const durationMs = clock.monotonicMs() - start;
      const label = METHODS.has(method) ? method : '_OTHER';
      meter.observe(DURATION, durationMs / 1000, label, route ?? '', String(raw.statusCode));
      log.info(
        {
          request_id: id,
          method,
          route,
          status: raw.statusCode,
          duration_ms: Math.round(durationMs * 10) / 10,
          team_id: known.principal?.teamId,
          key_id: known.principal?.keyId,
          ...(!raw.writableFinished && { aborted: true }),
        },
        'request',
      );
    });
    if (method === 'GET' && route === VERIFY) return done();
    inRequest({ requestId: id, ip: request.ip, principal: null }, raw, done);
  };
}

/** The path that was asked for, without query and fragment, which may hold an address (RFC 9112 §3.2: either form). */
export function pathOf({ url }: FastifyRequest): string {
  return /^(?:https?:\/\/[^/?#]*)?([^?#]*)/i.exec(url)?.[1] || '/';
}
