import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import { RateLimited } from '../../../kernel/errors.js';
import type { AuthenticatedRequest } from '../../../platform/http/request/request-log.js';
import { TeamLimitsService, type Consumed } from './team-limits.service.js';

/** The rate limit is kept for the fields that `QuotaInterceptor` sets. */
export type LimitedResponse = Response<unknown, Pick<Consumed, 'burst'>>;

const TEAM_RATE =
  'The keys of this team together have sent more requests than its tier allows; RateLimit-Policy says how many.';

/**
 * Limits the request rate. Every request with a secret key counts, whatever its result; `PublishableGuard`
 * counts the others.
 */
@Injectable()
export class RateGuard implements CanActivate {
  constructor(private readonly limits: TeamLimitsService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const { principal } = http.getRequest<AuthenticatedRequest>();
    if (principal === undefined || principal.publishable !== null) return true;
    const { decision, fields, burst } = await this.limits.consume(principal, 1);
    const response = http.getResponse<LimitedResponse>();
    response.set(fields);
    response.locals.burst = burst;
    if (decision?.allowed === false) throw new RateLimited(decision.retryAfterSeconds, TEAM_RATE);
    return true;
  }
}
