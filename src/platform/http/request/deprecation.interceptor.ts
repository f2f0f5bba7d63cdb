import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import type { Observable } from 'rxjs';
import { IS_DEPRECATED } from './request-log.js';
import { routePolicy } from './route-policy.js';

const midnight = (day: string) => new Date(`${day}T00:00:00Z`);

/** Sets the headers of a deprecated route, also for an error of its handler. */
@Injectable()
export class DeprecationInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { deprecated } = routePolicy(context);
    if (deprecated === null) return next.handle();
    const response = context.switchToHttp().getResponse<Response>();
    response.locals[IS_DEPRECATED] = true;
    response.setHeader('Deprecation', `@${midnight(deprecated.since).getTime() / 1_000}`);
    response.append('Link', `<${deprecated.link}>; rel="deprecation"; type="text/html"`);
    if (deprecated.sunset !== null) {
      response.setHeader('Sunset', midnight(deprecated.sunset).toUTCString());
      response.append('Link', `<${deprecated.link}>; rel="sunset"; type="text/html"`);
    }
    return next.handle();
  }
}
