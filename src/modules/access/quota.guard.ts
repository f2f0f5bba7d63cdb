import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { routePolicy } from '../../platform/http/request/route-policy.js';
import type { AuthenticatedRequest } from '../../platform/http/request/request-log.js';
import { UsageService } from '../usage/usage.service.js';

/**
 * Refuses a request when the team's daily quota is used up, according to the last known quota. The
 * service makes the exact reservation, since it knows the cost.
 */
@Injectable()
export class QuotaGuard implements CanActivate {
  constructor(private readonly usage: UsageService) {}

  canActivate(context: ExecutionContext): boolean {
    const { cost } = routePolicy(context);
    const { principal } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (principal?.mode === 'live' && cost > 0) this.usage.requireSome(principal);
    return true;
  }
}
