import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { lastValueFrom, of, type Observable } from 'rxjs';
import { requestContexts } from '../../telemetry/request-context.js';
import { requestId, type AuthenticatedRequest } from './request-log.js';

/** Opens the request context while the handler runs, for the audit log and for calls to the payment provider. */
@Injectable()
export class RequestContextInterceptor implements NestInterceptor {
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const { ip = '', principal = null } = http.getRequest<AuthenticatedRequest>();
    const value = { requestId: requestId(http.getResponse<Response>()), ip, principal };
    const handle = () => lastValueFrom<unknown, undefined>(next.handle(), { defaultValue: undefined });
    return of(await requestContexts.run(value, handle));
  }
}
