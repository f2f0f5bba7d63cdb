import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { TooManyUnread } from './problems/problems.js';
import type { AuthenticatedRequest } from './request/request-log.js';
import { ownerOf, UNREAD, type UnreadResponses } from './unread-responses.js';

/** A team reads its responses before it gets others. */
@Injectable()
export class UnreadGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const unread = request.app.get(UNREAD) as UnreadResponses;
    if (request.principal !== undefined && unread.isFull(ownerOf(request))) throw new TooManyUnread();
    return true;
  }
}
