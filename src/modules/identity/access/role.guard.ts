import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import {
  AddressNotAllowed,
  LiveKeyRequired,
  OriginNotAllowed,
  RoleRequired,
  ScopeRequired,
  SecretKeyRequired,
  type DomainError,
} from '../../../kernel/errors.js';
import { atLeast, hasScope, type Principal } from '../../../kernel/principal.js';
import { Config } from '../../../platform/config/config.js';
import { routePolicy, type RoutePolicy } from '../../../platform/http/request/route-policy.js';
import type { AuthenticatedRequest } from '../../../platform/http/request/request-log.js';
import { isInNetworks } from '../../../platform/net/cidr.js';
import { NoUser } from './access.errors.js';
import { rateFields } from './domain/rate-fields.js';
import { policiesOf } from './publishable.guard.js';
import { TeamLimitsService } from './team-limits.service.js';

const LIMITED_TO_NETWORKS =
  'A key that is limited to networks cannot do this, since it could get what works from other networks too. Use a key without limits.';

/**
 * Checks the limits of the key, the role and the origin that the route requires, and whether publishable keys and
 * test keys may use it.
 */
@Injectable()
export class RoleGuard implements CanActivate {
  private readonly ownOrigin: string;

  constructor(
    private readonly limits: TeamLimitsService,
    { publicUrl }: Config,
  ) {
    this.ownOrigin = new URL(publicUrl).origin;
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const policy = routePolicy(context);
    const http = context.switchToHttp();
    const { principal, method, headers, ip } = http.getRequest<AuthenticatedRequest>();
    if (policy.public || principal === undefined) return policy.public;
    const refusal =
      foreignAddress(principal, ip) ??
      refusalOf(principal, method, policy) ??
      this.foreignOrigin(policy, headers.origin);
    return refusal === null || this.refuse(principal, http.getResponse<Response>(), refusal);
  }

  /** A page whose name was made to resolve to this server (DNS rebinding) sends its own origin. */
  private foreignOrigin({ ownOriginOnly }: RoutePolicy, origin: string | undefined): DomainError | null {
    if (!ownOriginOnly || origin === undefined || origin === this.ownOrigin) return null;
    return new OriginNotAllowed('This route takes no request from a page of another origin.');
  }

  /** The request is not counted, but its response reports the limits too. */
  private async refuse(principal: Principal, response: Response, refusal: DomainError): Promise<never> {
    if (principal.publishable === null) response.set((await this.limits.consume(principal, 0)).fields);
    else response.set(rateFields(policiesOf(principal.publishable, null)));
    throw refusal;
  }
}

/** Before all else: to other networks the key says nothing. */
function foreignAddress({ allowedCidrs }: Principal, ip = ''): DomainError | null {
  return allowedCidrs === null || isInNetworks(ip, allowedCidrs) ? null : new AddressNotAllowed();
}

function refusalOf(principal: Principal, method: string, policy: RoutePolicy): DomainError | null {
  if (principal.publishable !== null) return policy.publishableKeysAllowed ? null : new SecretKeyRequired();
  if (policy.needsUser && principal.userId === null) return new NoUser();
  if (!hasScope(principal, policy.scopes)) return new ScopeRequired(policy.scopes);
  if (policy.notFromLimitedNetworks && principal.allowedCidrs !== null)
    return new ScopeRequired([], LIMITED_TO_NETWORKS);
  if (!atLeast(principal.role, policy.role)) return new RoleRequired(policy.role);
  const reads = method === 'GET' || method === 'HEAD';
  return principal.mode === 'test' && !reads && !policy.testKeysAllowed ? new LiveKeyRequired() : null;
}
