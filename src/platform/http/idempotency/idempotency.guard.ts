import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import {
  IdempotencyStore,
  type KeyScope,
  type IdempotencyRecord,
} from '../../database/idempotency/idempotency-store.js';
import { keyScopeOf, routeOf } from './idempotency-key.js';
import { IdempotencyInProgress, IdempotencyKeyReused } from './idempotency.errors.js';
import { fingerprintOf } from './keyed-request.js';
import { bodyHash } from '../body/raw-body.js';
import { ReplayedResponse } from './replay.filter.js';
import type { AuthenticatedRequest } from '../request/request-log.js';
import { routePolicy } from '../request/route-policy.js';

/**
 * Replays the stored response of an idempotency key, before the checks of tier and quota. The body is
 * read here only if the key is in use.
 */
@Injectable()
export class IdempotencyGuard implements CanActivate {
  constructor(private readonly store: IdempotencyStore) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const scope = validKeyScopeOf(request);
    return scope === null || this.isNew(scope, request, routePolicy(context).streamsBody);
  }

  private async isNew(scope: KeyScope, request: AuthenticatedRequest, streamed: boolean): Promise<true> {
    const record = await this.store.find(scope);
    if (record === null) return true;
    throw await responseFor(request, record, streamed);
  }
}

/** The error or stored response for a request whose key is in use, to be thrown. */
export async function responseFor(
  request: AuthenticatedRequest,
  { fingerprint, response }: IdempotencyRecord,
  streamed: boolean,
): Promise<Error> {
  if (fingerprint === null) return new IdempotencyInProgress();
  const own = fingerprintOf(routeOf(request), await bodyHash(request, streamed));
  if (!own.equals(fingerprint)) return new IdempotencyKeyReused();
  return response === null ? new IdempotencyInProgress() : new ReplayedResponse(response);
}

/** Ignores an invalid key: the interceptor reports it with 400, after the other checks. */
function validKeyScopeOf(request: AuthenticatedRequest): KeyScope | null {
  try {
    return keyScopeOf(request);
  } catch {
    return null;
  }
}
