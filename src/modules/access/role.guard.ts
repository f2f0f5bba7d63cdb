import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { atLeast } from '../../kernel/principal.js';
import { LiveKeyRequired } from '../../kernel/live-key-required.js';
import { RoleRequired } from '../../kernel/role-required.js';
import { routePolicy } from '../../platform/http/route-policy.js';
import type { AuthenticatedRequest } from '../../platform/http/request-log.js';
import { NoUser } from './access.errors.js';

/** May they? The role in the team, and what test keys are kept from. */
@Injectable()
export class RoleGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const words = routePolicy(context);
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const { principal } = request;
    if (words.public || principal === undefined) return words.public;
    if (words.needsUser && principal.userId === null) throw new NoUser();
    if (!atLeast(principal.role, words.role)) throw new RoleRequired(words.role);
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (principal.mode === 'test' && !reads && !words.testKeysToo) throw new LiveKeyRequired();
    return true;
  }
}
