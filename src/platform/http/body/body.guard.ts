import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { GUARDS_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { InvalidRequest } from '../../../kernel/errors.js';
import type { AuthenticatedRequest } from '../request/request-log.js';
import { routePolicy } from '../request/route-policy.js';
import { jsonIn } from './json-body.js';
import { bodyOf, hasBody } from './raw-body.js';
import { MAX_FIELD_ERRORS, unknownMember } from '../validation/validation-errors.js';
import { append } from '../../../kernel/long-lists.js';

/**
 * Reads a JSON body and rejects members that the route does not declare. It runs after all other
 * checks, unlike body-parser middleware: the body of an unauthenticated request is not read, and 401
 * takes precedence over 400.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (hasBody(request) && !routePolicy(context).streamsBody) return this.read(request, context);
    refuseUnknownMembers(context, request);
    return true;
  }

  private async read(request: AuthenticatedRequest, context: ExecutionContext): Promise<true> {
    request.body = jsonIn(await bodyOf(request));
    refuseUnknownMembers(context, request);
    return true;
  }
}

/**
 * The last global guard of authenticated routes. Routes with guards of their own that must run before
 * the body is read, and public routes, add `BodyGuard` after these guards.
 */
@Injectable()
export class AuthenticatedBodyGuard extends BodyGuard {
  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    return routePolicy(context).public || hasOwnBodyGuard(context) || super.canActivate(context);
  }
}

function hasOwnBodyGuard(context: ExecutionContext): boolean {
  const guards = (Reflect.getMetadata(GUARDS_METADATA, context.getHandler()) ?? []) as unknown[];
  return guards.includes(BodyGuard);
}

/**
 * Rejects query parameters and body members of routes that declare none. The other
 * routes validate them against their schemas. Public routes are exempt: a health
 * check may have any parameters.
 */
function refuseUnknownMembers(context: ExecutionContext, request: AuthenticatedRequest): void {
  if (request.principal === undefined) return;
  const handler = context.getHandler().name;
  const declared = Object.keys(
    (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler) as object | undefined) ?? {},
  );
  const declares = (type: RouteParamtypes) => declared.some((key) => key.startsWith(`${type}:`));
  const unknown: string[] = [];
  if (!declares(RouteParamtypes.QUERY)) append(unknown, Object.keys(request.query));
  if (!declares(RouteParamtypes.BODY))
    append(unknown, Object.keys((request.body as object | undefined) ?? {}));
  if (unknown.length === 0) return;
  throw new InvalidRequest(unknown.slice(0, MAX_FIELD_ERRORS).map((name) => unknownMember([name])));
}
