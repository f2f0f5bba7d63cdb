import { DomainError, type ErrorFact } from '../../kernel/domain-error.js';

export class RateLimited extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'rate_limited',
    kind: 'rate-limited',
    title: 'Too many requests at once',
    help: 'Slow down; `Retry-After` says when the next request is welcome.',
  };
  constructor(override readonly retryAfter: number) {
    super('Too many requests at once.');
  }
}

export class DailyQuotaExceeded extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'daily_quota_exceeded',
    kind: 'rate-limited',
    title: 'Nothing is left of today’s quota',
    help: 'The quota is renewed at midnight UTC; `Retry-After` says how far that is. A higher tier has more.',
  };
  constructor(override readonly retryAfter: number) {
    super('Nothing is left of today’s quota.');
  }
}
