import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { types } from 'node:util';
import { DomainError, type ErrorFact, type ErrorKind } from '../../kernel/domain-error.js';
import { InvalidCredential } from '../../kernel/invalid-credential.js';
import { NotFound } from '../../kernel/not-found.js';
import { RateLimited } from '../../kernel/rate-limited.js';
import { describeFault, type Log } from '../telemetry/log.js';
import { PROBLEM_TYPE } from './replay.filter.js';
import { pathOf, requestId, type AuthenticatedRequest } from './request-log.js';
import {
  HeadersTooLarge,
  InternalError,
  MalformedHttp,
  MethodNotAllowed,
  NotReady,
  PayloadTooLarge,
  RequestRefused,
  RequestTimeout,
  RouteNotFound,
  TargetTooLong,
  UnsupportedMediaType,
} from './problems.js';
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
    status: hasStatus(error) ? error.status : STATUS_OF_KIND[fact.kind],
    detail: error.message,
    code: fact.code,
    ...error.members,
    ...(error.fieldErrors.length > 0 && { errors: error.fieldErrors }),
  };
}

function hasStatus(error: DomainError): error is RequestRefused | InternalError {
  return error instanceof RequestRefused || error instanceof InternalError;
}

export function problemType(fact: ErrorFact, publicUrl: string): string {
  return `${publicUrl}/docs/errors#${fact.code}`;
}

/** Answers with the problem that the error is. */
export function sendProblem(
  error: DomainError,
  request: Request,
  response: Response,
  publicUrl: string,
): void {
  const problem = problemOf(error, publicUrl);
  response.status(problem.status);
  if (error.fact.kind === 'unauthenticated') response.setHeader('WWW-Authenticate', 'Bearer');
  if (error instanceof MethodNotAllowed) response.setHeader('Allow', error.members.allow.join(', '));
  // RFC 9110 §15.5.9; what has not arrived by now would be taken for the next request.
  if (error.fact.kind === 'timed-out') response.setHeader('Connection', 'close');
  if (error.retryAfter !== null)
    response.setHeader('Retry-After', String(Math.max(1, Math.ceil(error.retryAfter))));
  response.setHeader('Content-Type', PROBLEM_TYPE);
  response.setHeader('Cache-Control', 'no-store');
  response.end(JSON.stringify({ ...problem, instance: pathOf(request), request_id: requestId(response) }));
}

/** What errors of the framework are called here, by status. */
const REFUSALS: Readonly<Record<number, () => DomainError>> = {
  400: () => new MalformedHttp('The request could not be read.'),
  408: () => new RequestTimeout(),
  413: () => new PayloadTooLarge('The body is too large.'),
  414: () => new TargetTooLong(),
  415: () => new UnsupportedMediaType('This content type is not taken here.'),
  429: () => new RateLimited(1),
  431: () => new HeadersTooLarge(),
};

/** Answers every error as `application/problem+json` (RFC 9457), and hides what is ours to know. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly log: Log,
    private readonly routes: RouteTable,
    private readonly publicUrl: string,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<AuthenticatedRequest>();
    const response = host.switchToHttp().getResponse<Response>();
    const error = this.named(thrown, request, response);
    if (response.headersSent) {
      // The status is already out; breaking off is the only way left to say that the answer is not whole.
      response.destroy();
      return;
    }
    sendProblem(error, request, response, this.publicUrl);
  }

  private named(thrown: unknown, request: AuthenticatedRequest, response: Response): DomainError {
    if (thrown instanceof DomainError) return thrown;
    const status = thrown instanceof HttpException ? thrown.getStatus() : 500;
    if (status < 500) return this.refused(status, request);
    const fault = { request_id: requestId(response), err: describeFault(thrown) };
    if (isDatabaseSilence(thrown)) {
      this.log.error(fault, 'the database does not answer');
      return new NotReady('The database does not answer.');
    }
    const gone = goneRowOf(thrown, request);
    if (gone !== null) {
      this.log.warn(fault, 'what was written about was removed meanwhile');
      return gone;
    }
    this.log.error(fault, 'unexpected error');
    if (status === 503) return new NotReady('The service cannot answer now.');
    return new InternalError(status);
  }

  /** What the framework refuses keeps its status. Its words go nowhere: they may quote the URL. */
  private refused(status: number, request: Request): DomainError {
    if (status === 404) return this.unmatched(request);
    if (status === 405) return new MethodNotAllowed(this.routes.methodsOf(pathOf(request)));
    return REFUSALS[status]?.() ?? new RequestRefused(status);
  }

  private unmatched(request: Request): DomainError {
    const allowed = this.routes.methodsOf(pathOf(request));
    // One that is missing a part, `/v1/webhooks//test`, is the path of none.
    if (allowed.length === 0 || allowed.includes(request.method))
      return new RouteNotFound('No route has this path.');
    return new MethodNotAllowed(allowed);
  }
}

/**
 * A row that another one was to refer to is not there (SQLSTATE 23503, foreign_key_violation). A key
 * is remembered for seconds, and its team or user may be erased within them: then it is no key any
 * more. What the path named may be removed meanwhile: then it is not there. Any other row should have
 * been there.
 */
function goneRowOf(thrown: unknown, { principal, params }: AuthenticatedRequest): DomainError | null {
  const { code, detail } = thrown as { code?: unknown; detail?: unknown };
  if (!types.isNativeError(thrown) || code !== '23503') return null;
  // `Key (team_id)=(team_…) is not present in table "teams".`, in the language of the database.
  const id = /\(\w+\)=\(([^)]+)\)/.exec(String(detail))?.[1];
  if (id === undefined) return null;
  if (id === principal?.teamId || id === principal?.userId) return new InvalidCredential();
  if (Object.values(params ?? {}).includes(id)) return new NotFound('It was removed just now.');
  return null;
}

/** Connection refused, reset, crowded or not answered in time: SQLSTATE classes 08, 53 and 57, pg's pool and the socket's own codes. */
function isDatabaseSilence(thrown: unknown): boolean {
  if (!types.isNativeError(thrown)) return false;
  const code = (thrown as { code?: unknown }).code;
  if (typeof code === 'string' && /^(08|53|57|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)/.test(code))
    return true;
  return /^(Connection terminated|timeout exceeded when trying to connect)/.test(thrown.message);
}
