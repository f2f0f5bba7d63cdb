import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { types } from 'node:util';
import { DomainError, type ErrorFact, type ErrorKind } from '../../kernel/domain-error.js';
import { NotFound } from '../../kernel/not-found.js';
import { describeFault, type Log } from '../telemetry/log.js';
import { PROBLEM_TYPE } from './replay.filter.js';
import { pathOf } from './request-log.js';
import { InternalError, MethodNotAllowed, NotReady, RouteNotFound } from './problems.js';
import type { RouteTable } from './route-table.js';

/** The only place where an error becomes an HTTP number. */
export const STATUS_OF_KIND: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  'upgrade-required': 402,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'timed-out': 408,
  conflict: 409,
  'too-large': 413,
  'target-too-long': 414,
  'unsupported-media-type': 415,
  unprocessable: 422,
  'rate-limited': 429,
  'headers-too-large': 431,
  internal: 500,
  'upstream-failed': 502,
  unavailable: 503,
};

/** The members of RFC 9457 that depend on the error alone. */
export function problemOf(error: DomainError, publicUrl: string) {
  const { fact } = error;
  return {
    type: problemType(fact, publicUrl),
    title: fact.title,
    status: STATUS_OF_KIND[fact.kind],
    detail: error.message,
    code: fact.code,
    ...error.members,
    ...(error.complaints.length > 0 && { errors: error.complaints }),
  };
}

export function problemType(fact: ErrorFact, publicUrl: string): string {
  return `${publicUrl}/docs/errors#${fact.code}`;
}

/** Answers with the problem that the error is. */
export function sendProblem(
  error: DomainError,
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
): void {
  const problem = problemOf(error, publicUrl);
  reply.code(problem.status);
  if (error.fact.kind === 'unauthenticated') reply.header('WWW-Authenticate', 'Bearer');
  if (error instanceof MethodNotAllowed) reply.header('Allow', error.members.allow.join(', '));
  // RFC 9110 §15.5.9; what has not arrived by now would be taken for the next request.
  if (error.fact.kind === 'timed-out') reply.header('Connection', 'close');
  if (error.retryAfter !== null)
    reply.header('Retry-After', String(Math.max(1, Math.ceil(error.retryAfter))));
  reply.header('Content-Type', PROBLEM_TYPE);
  reply.header('Cache-Control', 'no-store');
  reply.send(JSON.stringify({ ...problem, instance: pathOf(request), request_id: request.id }));
}

/** Answers every error as `application/problem+json` (RFC 9457), and hides what is ours to know. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly log: Log,
    private readonly routes: RouteTable,
    private readonly publicUrl: string,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const error = this.named(thrown, request);
    if (reply.raw.headersSent) {
      // The status is already out; breaking off is the only way left to say that the answer is not whole.
      reply.raw.destroy();
      return;
    }
    sendProblem(error, request, reply, this.publicUrl);
  }

  private named(thrown: unknown, request: FastifyRequest): DomainError {
    if (thrown instanceof DomainError) return thrown;
    if (thrown instanceof HttpException && thrown.getStatus() === 404) return this.unmatched(request);
    const fault = { request_id: request.id, err: describeFault(thrown) };
    if (isDatabaseSilence(thrown)) {
      this.log.error(fault, 'the database does not answer');
      return new NotReady('The database does not answer.');
    }
    if (isOwnerGone(thrown)) {
      this.log.warn(fault, 'what was written about was removed meanwhile');
      return new NotFound('What this belongs to was removed just now.');
    }
    this.log.error(fault, 'unexpected error');
    return new InternalError();
  }

  private unmatched(request: FastifyRequest): DomainError {
    const allowed = this.routes.methodsOf(pathOf(request));
    // One that is missing a part, `/v1/webhooks//test`, is the path of none.
    if (allowed.length === 0 || allowed.includes(request.method))
      return new RouteNotFound('No route has this path.');
    return new MethodNotAllowed(allowed);
  }
}

/**
 * A row whose team or user is no longer there: a key is remembered for seconds, and its team may be
 * erased within them (SQLSTATE 23503, foreign_key_violation).
 */
function isOwnerGone(thrown: unknown): boolean {
  return types.isNativeError(thrown) && (thrown as { code?: unknown }).code === '23503';
}

/** Connection refused, reset, crowded or not answered in time: SQLSTATE classes 08, 53 and 57, pg's pool and the socket's own codes. */
function isDatabaseSilence(thrown: unknown): boolean {
  if (!types.isNativeError(thrown)) return false;
  const code = (thrown as { code?: unknown }).code;
  if (typeof code === 'string' && /^(08|53|57|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)/.test(code))
    return true;
  return /^(Connection terminated|timeout exceeded when trying to connect)/.test(thrown.message);
}
