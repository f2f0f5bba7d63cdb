import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { finalize, type Observable } from 'rxjs';
import type { AuthenticatedRequest } from '../../platform/http/request/request-log.js';
import { TeamLimits, type LimitedResponse } from './team-limits.js';

/** Reports the quota as it is after the handler has charged the call. */
@Injectable()
export class QuotaInterceptor implements NestInterceptor {
  constructor(private readonly limits: TeamLimits) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const { principal } = http.getRequest<AuthenticatedRequest>();
    const response = http.getResponse<LimitedResponse>();
    if (principal === undefined || response.locals.burst === undefined) return next.handle();
    return next.handle().pipe(finalize(() => this.limits.updateQuota(principal, response)));
  }
}
