import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { then, type Soon } from '../../kernel/soon.js';
import { routePolicy } from '../../platform/http/route-policy.js';
import type { AuthenticatedRequest } from '../../platform/http/request-log.js';
import { UsageService } from '../usage/usage.service.js';

/** Is anything left today? The exact reservation is the service's, which knows how much it takes. */
@Injectable()
export class QuotaGuard implements CanActivate {
  constructor(private readonly usage: UsageService) {}

  canActivate(context: ExecutionContext): Soon<boolean> {
    const { cost } = routePolicy(context);
    const { principal } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (principal?.mode !== 'live' || cost === 0) return true;
    return then(this.usage.requireSome(principal), () => true);
  }
}
