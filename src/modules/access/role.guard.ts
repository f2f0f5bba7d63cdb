import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { atLeast } from '../../kernel/principal.js';
import { LiveKeyRequired } from '../../kernel/live-key-required.js';
import { RoleRequired } from '../../kernel/role-required.js';
import { routePolicy } from '../../platform/http/route-policy.js';
import type { AuthenticatedRequest } from '../../platform/http/request-log.js';
import { NoUser } from './access.errors.js';

/** Checks the role that the route requires, and whether test keys may use it. */
@Injectable()
export class RoleGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const policy = routePolicy(context);
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const { principal } = request;
    if (policy.public || principal === undefined) return policy.public;
    if (policy.needsUser && principal.userId === null) throw new NoUser();
    if (!atLeast(principal.role, policy.role)) throw new RoleRequired(policy.role);
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (principal.mode === 'test' && !reads && !policy.testKeysAllowed) throw new LiveKeyRequired();
    return true;
  }
}
