import { DomainError, type ErrorDefinition } from '../../../kernel/errors.js';

export class DailyQuotaExceeded extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'daily_quota_exceeded',
    status: 429,
    title: 'The daily quota is exceeded',
    help: 'The quota is reset at midnight UTC; `Retry-After` has the time until then. A higher tier has a larger quota.',
  };

  /**
   * @param left remaining units; more than 0 when the request needed more.
   * @param ofShare units are left, but not for publishable keys.
   */
  constructor(retryAfter: number, left = 0, ofShare = false) {
    const usedUp = ofShare
      ? 'Publishable keys have used up their half of the daily quota.'
      : 'The daily quota is used up.';
    super(
      left === 0 ? usedUp : `The request needs more units than the ${left} that are left of the daily quota.`,
      { retryAfter },
    );
  }
}
