import {
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Response } from 'express';
import { tap, type Observable } from 'rxjs';
import { pathOf, type AuthenticatedRequest } from '../request/request-log.js';

/** Adds a `Link` header with the next page (RFC 8288). The reference is path-absolute, like `Location`. */
@Injectable()
export class NextPageInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<AuthenticatedRequest>();
    return next.handle().pipe(
      tap((page: { next_cursor?: string | null }) => {
        if (typeof page.next_cursor === 'string')
          http.getResponse<Response>().setHeader('Link', linkTo(request, page.next_cursor));
      }),
    );
  }
}

/** The same request with another cursor. The query has been validated. */
function linkTo(request: AuthenticatedRequest, cursor: string): string {
  const query = new URLSearchParams({ ...(request.query as Record<string, string>), cursor });
  return `<${pathOf(request)}?${query.toString()}>; rel="next"`;
}

/** Use it on routes that return a page of a list. */
export const Paged = () => UseInterceptors(NextPageInterceptor);
