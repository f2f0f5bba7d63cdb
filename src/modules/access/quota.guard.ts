import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { routePolicy } from '../../platform/http/route-policy.js';
import type { AuthenticatedRequest } from '../../platform/http/request-log.js';
import { UsageService } from '../usage/usage.service.js';

/**
 * Refuses a request when the team's daily quota is used up. The service makes the exact reservation,
 * since it knows the cost.
 */
@Injectable()
export class QuotaGuard implements CanActivate {
  constructor(private readonly usage: UsageService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { cost } = routePolicy(context);
    const { principal } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (principal?.mode !== 'live' || cost === 0) return true;
    await this.usage.requireSome(principal);
    return true;
  }
}
