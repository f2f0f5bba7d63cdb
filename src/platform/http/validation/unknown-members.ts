import type { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { InvalidRequest } from '../../../kernel/errors.js';
import type { AuthenticatedRequest } from '../request/request-log.js';
import { MAX_FIELD_ERRORS, unknownMember } from './validation-errors.js';

/**
 * Rejects query parameters and body members of routes that declare none. The other
 * routes validate them against their schemas. Public routes are exempt: a health
 * check may have any parameters.
 */
export function refuseUnknownMembers(context: ExecutionContext, request: AuthenticatedRequest): void {
  if (request.principal === undefined) return;
  const handler = context.getHandler().name;
  const declared = Object.keys(
    (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler) as object | undefined) ?? {},
  );
  const declares = (type: RouteParamtypes) => declared.some((key) => key.startsWith(`${type}:`));
  const unknown: string[] = [];
  if (!declares(RouteParamtypes.QUERY)) unknown.push(...Object.keys(request.query));
  if (!declares(RouteParamtypes.BODY))
    unknown.push(...Object.keys((request.body as object | undefined) ?? {}));
  if (unknown.length === 0) return;
  throw new InvalidRequest(unknown.slice(0, MAX_FIELD_ERRORS).map((name) => unknownMember([name])));
}
