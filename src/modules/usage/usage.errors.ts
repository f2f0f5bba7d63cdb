import { DomainError, type ErrorFact, type NamedError } from '../../kernel/errors/domain-error.js';

export class DailyQuotaExceeded extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'daily_quota_exceeded',
    kind: 'rate-limited',
    title: 'The daily quota is exceeded',
    help: 'The quota is reset at midnight UTC; `Retry-After` has the time until then. A higher tier has a larger quota.',
  };

  /** @param left remaining units; more than 0 when the request needed more. */
  constructor(
    override readonly retryAfter: number,
    left = 0,
  ) {
    super(
      left === 0
        ? 'The daily quota is used up.'
        : `The request needs more units than the ${left} that are left of the daily quota.`,
    );
  }
}

export const USAGE_ERRORS: readonly NamedError[] = [DailyQuotaExceeded];
