import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { lastValueFrom, of, type Observable } from 'rxjs';
import { requestContexts } from '../../telemetry/request-context.js';
import { requestId, type AuthenticatedRequest } from './request-log.js';
import { routePolicy, setPolicy } from './route-policy.js';

/** For a GET route that calls the payment provider. */
export const InRequestContext = () => setPolicy('inRequestContext', true);

/**
 * Opens the request context while the handler runs, for the audit log and for calls to the payment provider. Other GET
 * routes need none, and its hooks take time in each promise of a call (`bench/http.ts`).
 */
@Injectable()
export class RequestContextInterceptor implements NestInterceptor {
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<AuthenticatedRequest>();
    if (request.method === 'GET' && !routePolicy(context).inRequestContext) return next.handle();
    const { ip = '', principal = null } = request;
    const value = { requestId: requestId(http.getResponse<Response>()), ip, principal };
    const handle = () => lastValueFrom<unknown, undefined>(next.handle(), { defaultValue: undefined });
    return of(await requestContexts.run(value, handle));
  }
}
