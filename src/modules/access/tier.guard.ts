import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { routePolicy } from '../../platform/http/route-policy.js';
import type { AuthenticatedRequest } from '../../platform/http/request-log.js';
import { TiersService } from '../tiers/tiers.service.js';

/** Does the team's tier include it? Under a test key every feature is open. */
@Injectable()
export class TierGuard implements CanActivate {
  constructor(private readonly tiers: TiersService) {}

  canActivate(context: ExecutionContext): boolean {
    const { feature, featureWhenAsked } = routePolicy(context);
    const { principal, query } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (principal?.mode !== 'live') return true;
    if (feature !== null) this.tiers.require(principal.tier, feature);
    if (featureWhenAsked !== null && isYes(query[featureWhenAsked])) {
      this.tiers.require(principal.tier, featureWhenAsked);
    }
    return true;
  }
}

function isYes(value: unknown): boolean {
  return value === 'true' || value === '1';
}
