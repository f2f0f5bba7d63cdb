/**
 * What went wrong, in the words of the domain. Only `platform/http/problem.filter.ts`
 * turns a kind into an HTTP status.
 */
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

/** The public description of an error: one entry of the docs page and of the OpenAPI document. */
export interface ErrorFact {
  /** Stable, snake_case: what a program compares. */
  readonly code: string;
  readonly kind: ErrorKind;
  /** The same words for every occurrence. */
  readonly title: string;
  /** When it happens and what to do about it. */
  readonly help: string;
}

/** An error class, read for its fact alone: `src/errors.ts` lists them all. */
export interface NamedError {
  readonly fact: ErrorFact;
}

/** A member of a request that was refused. */
export interface FieldError {
  /** JSON pointer (RFC 6901) into the body; for a query parameter `/name`. */
  pointer: string;
  code: string;
  message: string;
}

/**
 * An error with a name. Each subclass has a `static readonly fact`; its message
 * is the public detail of this occurrence, so it never quotes an address, a key
 * or anything the caller may not know.
 */
export abstract class DomainError extends Error {
  /** Members that this occurrence carries beyond those of RFC 9457. */
  readonly members: Readonly<Record<string, unknown>> = {};
  readonly fieldErrors: readonly FieldError[] = [];
  /** Seconds; becomes `Retry-After`. */
  readonly retryAfter: number | null = null;

  get fact(): ErrorFact {
    return (this.constructor as unknown as NamedError).fact;
  }
}
