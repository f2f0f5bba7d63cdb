import type { BulkJob, ErrorCode, FieldError, Problem } from './types.js';

/** The base class of all errors of this package. No error contains the key. */
export class RcptError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The service could not be reached, or the connection was closed before the end of the response. */
export class ApiConnectionError extends RcptError {}

/** There was no complete response within `timeoutMs`. */
export class ApiTimeoutError extends ApiConnectionError {}

/** The response is not one of Rcpt: another server or a proxy has answered. */
export class UnexpectedResponseError extends RcptError {
  constructor(
    readonly status: number,
    readonly requestId: string | null,
    /** Seconds; null: no such header. */
    readonly retryAfter: number | null = null,
  ) {
    super(`The server responded with ${status} and is not Rcpt. Check the base URL.`);
  }
}

/** The job has not ended within the `timeoutMs` of `bulk.wait`. It continues; wait for it again. */
export class JobTimeoutError extends RcptError {
  constructor(readonly job: BulkJob) {
    super(`The job ${job.id} has not ended in time: ${job.processed} of ${job.total} rows are done.`);
  }
}

/** The signature of a webhook is not valid, or its timestamp is too old. Answer 401. */
export class WebhookVerificationError extends RcptError {}

/** A problem (RFC 9457) that the service reports. Compare `code`; texts may change. */
export class ApiError extends RcptError {
  readonly status: number;
  readonly code: ErrorCode;
  readonly requestId: string;
  /** The invalid members of the request. */
  readonly errors: readonly FieldError[];

  constructor(
    /** The whole response, with members that only some codes have, such as `limit`. */
    readonly problem: Problem & Readonly<Record<string, unknown>>,
    /** Seconds; null: no such header. */
    readonly retryAfter: number | null,
  ) {
    super(`${problem.status} ${problem.code}: ${problem.detail} (request ${problem.request_id})`);
    this.status = problem.status;
    this.code = problem.code;
    this.requestId = problem.request_id;
    this.errors = problem.errors ?? [];
  }
}

/** 400, 405, 408, 414, 415, 422 or 431: the request is not valid; `errors` names the members. */
export class InvalidRequestError extends ApiError {}
/** 401: the key is missing, malformed, unknown, revoked or expired. */
export class AuthenticationError extends ApiError {}
/** 403: another key is required. */
export class PermissionDeniedError extends ApiError {}
/** 404 */
export class NotFoundError extends ApiError {}
/** 409 */
export class ConflictError extends ApiError {}
/** 413: `problem.limit` is the limit of the tier, if it is one. */
export class PayloadTooLargeError extends ApiError {}

/** 402: the tier does not include the feature. */
export class UpgradeRequiredError extends ApiError {
  readonly tier = this.problem['tier'] as string;
  readonly requiredTier = this.problem['required_tier'] as string | null;
  readonly feature = this.problem['feature'] as string;
}

/** 429 */
export class RateLimitError extends ApiError {}
/** 429 `daily_quota_exceeded`: `retryAfter` seconds remain until the next day in UTC. */
export class QuotaExceededError extends RateLimitError {}
/** 500 or 502 */
export class ServerError extends ApiError {}
/** 503 */
export class ServiceUnavailableError extends ServerError {}

const BY_STATUS: Readonly<Record<number, typeof ApiError>> = {
  401: AuthenticationError,
  402: UpgradeRequiredError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  413: PayloadTooLargeError,
  429: RateLimitError,
  503: ServiceUnavailableError,
};

/** The error for a response that is not a success. */
export function errorOf(response: Response, text: string): ApiError | UnexpectedResponseError {
  const { status, headers } = response;
  const retryAfter = secondsOf(headers.get('retry-after'));
  const problem = problemOf(text);
  if (problem === null) return new UnexpectedResponseError(status, headers.get('x-request-id'), retryAfter);
  if (problem.code === 'daily_quota_exceeded') return new QuotaExceededError(problem, retryAfter);
  const Type = BY_STATUS[status] ?? (status < 500 ? InvalidRequestError : ServerError);
  return new Type(problem, retryAfter);
}

function problemOf(text: string): (Problem & Record<string, unknown>) | null {
  try {
    const value = JSON.parse(text) as Partial<Problem> | null;
    return typeof value?.code === 'string' && typeof value.status === 'number'
      ? (value as Problem & Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** `Retry-After`: seconds or a date (RFC 9110 §10.2.3). */
function secondsOf(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
  const seconds = (Date.parse(retryAfter) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}

/** Whether the same request may succeed later. */
export function isTransient(error: unknown): error is RcptError {
  if (error instanceof ApiConnectionError) return true;
  if (error instanceof UnexpectedResponseError)
    return error.status === 408 || error.status === 429 || error.status >= 500;
  if (!(error instanceof ApiError)) return false;
  switch (error.status) {
    case 408:
    case 429:
    case 500:
    case 504:
      return true;
    case 409:
      return error.code === 'idempotency_in_progress';
    case 502:
      return error.code !== 'payment_provider_refused';
    case 503:
      // Without the header the condition is permanent.
      return error.retryAfter !== null;
    default:
      return false;
  }
}
