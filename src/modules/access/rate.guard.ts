import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { RateLimited } from '../../kernel/errors.js';
import type { AuthenticatedRequest } from '../../platform/http/request/request-log.js';
import { TeamLimits, type LimitedResponse } from './team-limits.js';

/**
 * Limits the request rate. Every request with a secret key counts, whatever its result; `PublishableGuard`
 * counts the others.
 */
@Injectable()
export class RateGuard implements CanActivate {
  constructor(private readonly limits: TeamLimits) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const { principal } = http.getRequest<AuthenticatedRequest>();
    if (principal === undefined || principal.publishable !== null) return true;
    const decision = await this.limits.consume(principal, http.getResponse<LimitedResponse>(), 1);
    if (decision?.allowed === false) throw new RateLimited(decision.retryAfterSeconds);
    return true;
  }
}
