import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { routePolicy } from '../../../platform/http/request/route-policy.js';
import type { AuthenticatedRequest } from '../../../platform/http/request/request-log.js';
import { isFree, isRequested } from './domain/requested.js';
import { TiersService } from '../tiers/tiers.service.js';

/** Checks that the team's tier includes the feature. Test keys may use every feature. */
@Injectable()
export class TierGuard implements CanActivate {
  constructor(private readonly tiers: TiersService) {}

  canActivate(context: ExecutionContext): boolean {
    const policy = routePolicy(context);
    const { feature, featureWhenRequested } = policy;
    const { principal, query } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (principal?.mode !== 'live') return true;
    if (feature !== null && !isFree(policy, query)) this.tiers.require(principal.tier, feature);
    if (featureWhenRequested !== null && isRequested(featureWhenRequested, query))
      this.tiers.require(principal.tier, featureWhenRequested);
    return true;
  }
}
