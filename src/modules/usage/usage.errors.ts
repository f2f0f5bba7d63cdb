import { DomainError, type ErrorFact } from '../../kernel/domain-error.js';

export class DailyQuotaExceeded extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'daily_quota_exceeded',
    kind: 'rate-limited',
    title: 'Too little is left of today’s quota',
    help: 'The quota is renewed at midnight UTC; `Retry-After` says how far that is. A higher tier has more.',
  };

  /** @param left units; more than none when the request asked for more than these. */
  constructor(
    override readonly retryAfter: number,
    left = 0,
  ) {
    super(
      left === 0
        ? 'Nothing is left of today’s quota.'
        : `Only ${left} are left of today’s quota, fewer than this takes.`,
    );
  }
}
