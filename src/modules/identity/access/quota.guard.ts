import {
  Injectable,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { finalize, type Observable } from 'rxjs';
import { routePolicy } from '../../../platform/http/request/route-policy.js';
import type { AuthenticatedRequest } from '../../../platform/http/request/request-log.js';
import { UsageService } from '../usage/usage.service.js';
import { isFree } from './domain/requested.js';
import type { LimitedResponse } from './rate.guard.js';
import { TeamLimitsService } from './team-limits.service.js';

/**
 * Refuses a request when the team's daily quota is used up, according to the last known quota. The
 * service makes the exact reservation, since it knows the cost.
 */
@Injectable()
export class QuotaGuard implements CanActivate {
  constructor(private readonly usage: UsageService) {}

  canActivate(context: ExecutionContext): boolean {
    const policy = routePolicy(context);
    const { principal, query } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (principal?.mode === 'live' && policy.cost > 0 && !isFree(policy, query))
      this.usage.requireSome(principal);
    return true;
  }
}

/** Reports the quota as it is after the handler has charged the call. */
@Injectable()
export class QuotaInterceptor implements NestInterceptor {
  constructor(private readonly limits: TeamLimitsService) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const { principal } = http.getRequest<AuthenticatedRequest>();
    const response = http.getResponse<LimitedResponse>();
    const { burst } = response.locals;
    if (principal === undefined || burst === undefined) return next.handle();
    const update = () => {
      if (!response.headersSent) response.set(this.limits.fieldsAfter(principal, burst));
    };
    return next.handle().pipe(finalize(update));
  }
}
