import { DomainError, type ErrorFact } from './domain-error.js';

/** The caller is too fast. Slowing down helps; tomorrow's quota is another matter. */
export class RateLimited extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'rate_limited',
    kind: 'rate-limited',
    title: 'Too many requests at once',
    help: 'Slow down; `Retry-After` says when the next request is welcome.',
  };
  /** @param retryAfter seconds until the next request is welcome; the header says at least 1. */
  constructor(override readonly retryAfter: number) {
    super('Too many requests at once.');
  }
}
