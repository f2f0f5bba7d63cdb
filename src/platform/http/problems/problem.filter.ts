import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { types } from 'node:util';
import { wholeSeconds } from '../../../kernel/durations.js';
import {
  DomainError,
  InvalidCredential,
  NotFound,
  RateLimited,
  ScopeRequired,
  type ErrorDefinition,
} from '../../../kernel/errors.js';
import { storageError } from '../../database/database-storage.js';
import { isDatabaseUnavailable } from '../../database/database-unavailable.js';
import { SecretUnreadable } from '../../secrets/secrets.errors.js';
import { describeError, type Log } from '../../telemetry/log.js';
import { pathOf, PROBLEM_CODE, requestId, type AuthenticatedRequest } from '../request/request-log.js';
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
import type { RouteTable } from '../request/route-table.js';

/** The content type of an error (RFC 9457). */
export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** The members of RFC 9457 that depend on the error alone. */
export function problemOf(error: DomainError, publicUrl: string) {
  const { definition, status } = error;
  return {
    type: problemType(definition, publicUrl),
    title: definition.title,
    status,
    detail: error.message,
    code: definition.code,
    ...error.members,
    ...(error.fieldErrors.length > 0 && { errors: error.fieldErrors }),
  };
}

function problemType(definition: ErrorDefinition, publicUrl: string): string {
  return `${publicUrl}/docs/errors#${definition.code}`;
}

/** The member of `response.locals` with the URL of the metadata of the protected resource. */
export const RESOURCE_METADATA = 'resourceMetadata';

/** The member of `response.locals` that says that the client reads `error` and no problem. */
export const PLAIN_ERRORS = 'plainErrors';

/** RFC 6750 §3: the error is present only if the request had a key. RFC 9728 §5.1. */
function challengeFor(error: DomainError, resourceMetadata: unknown): string {
  const fields = ['realm="rcpt"'];
  if (typeof resourceMetadata === 'string') fields.unshift(`resource_metadata="${resourceMetadata}"`);
  // RFC 6750 §3.1: the scope that is missing.
  if (error instanceof ScopeRequired)
    fields.push('error="insufficient_scope"', `scope="${error.accepted[0] ?? 'all'}"`);
  if (error instanceof InvalidCredential) fields.push('error="invalid_token"');
  return `Bearer ${fields.join(', ')}`;
}

/** Sends an error as a problem response (RFC 9457), or as its sentence alone. */
function sendProblem(error: DomainError, request: Request, response: Response, publicUrl: string): void {
  const problem = problemOf(error, publicUrl);
  response.status(problem.status).locals[PROBLEM_CODE] = problem.code;
  if (error.status === 401 || error instanceof ScopeRequired)
    response.setHeader('WWW-Authenticate', challengeFor(error, response.locals[RESOURCE_METADATA]));
  if (error instanceof MethodNotAllowed) response.setHeader('Allow', error.allow.join(', '));
  // RFC 9110 §15.5.9: the rest of this request must not be read as the next request.
  if (error.status === 408) response.setHeader('Connection', 'close');
  if (error.retryAfter !== null) response.setHeader('Retry-After', String(wholeSeconds(error.retryAfter)));
  response.setHeader('Cache-Control', 'no-store');
  if (response.locals[PLAIN_ERRORS] === true) return void response.json({ error: problem.detail });
  response.setHeader('Content-Type', PROBLEM_TYPE);
  response.end(JSON.stringify({ ...problem, instance: pathOf(request), request_id: requestId(response) }));
}

/** Errors for the HTTP exceptions of Nest and Express, by status. */
const FRAMEWORK_ERRORS: Readonly<Record<number, () => DomainError>> = {
  400: () => new MalformedHttp('The request could not be read.'),
  408: () => new RequestTimeout(),
  413: () => new PayloadTooLarge('The body is too large.'),
  414: () => new TargetTooLong(),
  415: () => new UnsupportedMediaType('This route does not accept this content type.'),
  429: () => new RateLimited(1),
  431: () => new HeadersTooLarge(),
};

/** Responds to every error with `application/problem+json` (RFC 9457), without internal details. */
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
    const error = this.toDomainError(thrown, request, response);
    if (response.headersSent) {
      // The status is already sent. Destroy the connection to show that the response is incomplete.
      response.destroy();
      return;
    }
    sendProblem(error, request, response, this.publicUrl);
  }

  private toDomainError(thrown: unknown, request: AuthenticatedRequest, response: Response): DomainError {
    if (thrown instanceof SecretUnreadable)
      this.log.error({ request_id: requestId(response) }, thrown.message);
    if (thrown instanceof DomainError) return thrown;
    const status = thrown instanceof HttpException ? thrown.getStatus() : 500;
    if (status < 500) return this.frameworkError(status, request);
    const entry = { request_id: requestId(response), err: describeError(thrown) };
    const storage = storageError(thrown);
    if (storage !== null) {
      this.log.error(entry, 'database cannot write');
      return new NotReady(storage);
    }
    if (isDatabaseUnavailable(thrown)) {
      this.log.error(entry, 'database not available');
      return new NotReady('The database is not available.');
    }
    const deleted = deletedRowError(thrown, request);
    if (deleted !== null) {
      this.log.warn(entry, 'a referenced row was deleted during the request');
      return deleted;
    }
    this.log.error(entry, 'unexpected error');
    if (status === 503) return new NotReady('The service is not available.');
    return new InternalError(status);
  }

  /** Keeps the status of framework errors. Their messages are dropped because they may quote the URL. */
  private frameworkError(status: number, request: Request): DomainError {
    if (status === 404) return this.unmatched(request);
    if (status === 405) return new MethodNotAllowed(this.routes.methodsOf(pathOf(request)));
    return FRAMEWORK_ERRORS[status]?.() ?? new RequestRefused(status);
  }

  private unmatched(request: Request): DomainError {
    const allowed = this.routes.methodsOf(pathOf(request));
    // A path with an empty segment, such as `/v1/webhooks//test`, matches no route.
    if (allowed.length === 0 || allowed.includes(request.method))
      return new RouteNotFound('No route has this path.');
    return new MethodNotAllowed(allowed);
  }
}

/**
 * The error for a foreign key violation (SQLSTATE 23503). Keys are cached for seconds, and the team or
 * user may be deleted in this time: then the key is invalid. An object of the path may be deleted during
 * the request: then it is not found. Any other violation is unexpected and gives null.
 */
function deletedRowError(thrown: unknown, { principal, params }: AuthenticatedRequest): DomainError | null {
  const { code, detail } = thrown as { code?: unknown; detail?: unknown };
  if (!types.isNativeError(thrown) || code !== '23503') return null;
  // `Key (team_id)=(team_…) is not present in table "teams".`, in the locale of the server.
  const id = /\(\w+\)=\(([^)]+)\)/.exec(String(detail))?.[1];
  if (id === undefined) return null;
  if (id === principal?.teamId || id === principal?.userId) return new InvalidCredential();
  if (Object.values(params ?? {}).includes(id))
    return new NotFound('The object was deleted during the request.');
  return null;
}
