import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { routePolicy } from '../../platform/http/request/route-policy.js';
import type { AuthenticatedRequest } from '../../platform/http/request/request-log.js';
import { TiersService } from '../tiers/tiers.service.js';

/** Checks that the team's tier includes the feature. Test keys may use every feature. */
@Injectable()
export class TierGuard implements CanActivate {
  constructor(private readonly tiers: TiersService) {}

  canActivate(context: ExecutionContext): boolean {
    const { feature, featureWhenRequested } = routePolicy(context);
    const { principal, query } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (principal?.mode !== 'live') return true;
    if (feature !== null) this.tiers.require(principal.tier, feature);
    if (featureWhenRequested !== null && isYes(query[featureWhenRequested])) {
      this.tiers.require(principal.tier, featureWhenRequested);
    }
    return true;
  }
}

function isYes(value: unknown): boolean {
  return value === 'true' || value === '1';
}
