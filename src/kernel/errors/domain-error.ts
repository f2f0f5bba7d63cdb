/** The category of an error. Only `platform/http/problems/problem.filter.ts` maps a kind to an HTTP status. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'upgrade-required'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'timed-out'
  | 'conflict'
  | 'too-large'
  | 'target-too-long'
  | 'headers-too-large'
  | 'unprocessable'
  | 'unsupported-media-type'
  | 'rate-limited'
  | 'unavailable'
  | 'upstream-failed'
  | 'internal';

/** The public description of an error, as the errors page and the OpenAPI document show it. */
export interface ErrorDefinition {
  /** Stable identifier in snake_case, for programs. */
  readonly code: string;
  readonly kind: ErrorKind;
  /** The same text for every occurrence. */
  readonly title: string;
  /** When it happens and what to do about it. */
  readonly help: string;
}

/** An error class with its description. `src/errors.ts` lists all of them. */
export interface NamedError {
  readonly definition: ErrorDefinition;
}

/** A request member that failed validation. */
export interface FieldError {
  /** JSON pointer (RFC 6901) into the body, or `/name` for a query parameter. */
  pointer: string;
  code: string;
  message: string;
}

/**
 * Base class of all expected errors. Each subclass has a `static readonly definition`.
 * The message is the public `detail` of the occurrence: it contains no address,
 * no key and nothing that the caller may not see.
 */
export abstract class DomainError extends Error {
  /** Extension members of the problem (RFC 9457 §3.2). */
  readonly members: Readonly<Record<string, unknown>> = {};
  readonly fieldErrors: readonly FieldError[] = [];
  /** Seconds, sent as `Retry-After`; null: no header. */
  readonly retryAfter: number | null = null;

  get definition(): ErrorDefinition {
    return (this.constructor as unknown as NamedError).definition;
  }
}
