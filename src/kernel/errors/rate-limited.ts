import { DomainError, type ErrorDefinition } from './domain-error.js';

/** The request rate is too high. A daily quota that is used up is `DailyQuotaExceeded`. */
export class RateLimited extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'rate_limited',
    kind: 'rate-limited',
    title: 'Too many requests',
    detail: 'Too many requests.',
    help: 'Reduce the request rate. `Retry-After` says when to send the next request.',
  };
  /** @param retryAfter seconds until the next request is allowed; the header is at least 1. */
  constructor(retryAfter: number) {
    super(undefined, { retryAfter });
  }
}
