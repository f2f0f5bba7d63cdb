import type { components } from './schema';

type Problem = components['schemas']['Problem'];

/** A problem response of the API. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly problem: Partial<Problem> & Record<string, unknown>,
    /** Seconds; null: no such header. */
    readonly retryAfter: number | null,
    readonly requestId: string | null,
  ) {
    super(problem.detail ?? problem.title ?? `HTTP ${status}`);
  }

  get code(): string {
    return this.problem.code ?? '';
  }
}

/** The service did not answer at all. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

export function errorOf(response: Response, body: unknown): ApiError {
  const problem = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const seconds = Number(response.headers.get('Retry-After') ?? NaN);
  const requestId = response.headers.get('X-Request-Id');
  return new ApiError(response.status, problem, Number.isFinite(seconds) ? seconds : null, requestId);
}

/** Whether a retry may succeed: the service was not reached, or failed. */
export function isPassing(error: unknown): boolean {
  return error instanceof ConnectionLost || (error instanceof ApiError && error.status >= 500);
}
