import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Soon } from '../../kernel/soon.js';
import { IdempotencyStore, type KeyScope, type IdempotencyRecord } from '../database/idempotency-store.js';
import { keyScopeOf, routeOf } from './idempotency-key.js';
import { IdempotencyInProgress, IdempotencyKeyReused } from './idempotency.errors.js';
import { fingerprintOf } from './keyed-request.js';
import { bodyHash } from './raw-body.js';
import { ReplayedAnswer } from './replay.filter.js';
import type { AuthenticatedRequest } from './request-log.js';
import { streamsBody } from './streamed-body.js';

/**
 * Was it answered before? Then it is answered so again, before anybody asks what the tier includes
 * or what is left today. Only a request whose key is in use has its body read here.
 */
@Injectable()
export class IdempotencyGuard implements CanActivate {
  constructor(private readonly marks: IdempotencyStore) {}

  canActivate(context: ExecutionContext): Soon<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const scope = readable(request);
    return scope === null || this.isNew(scope, request, streamsBody(context));
  }

  private async isNew(scope: KeyScope, request: AuthenticatedRequest, streamed: boolean): Promise<true> {
    const mark = await this.marks.find(scope);
    if (mark === null) return true;
    throw await answerTo(request, mark, streamed);
  }
}

/** What to throw at a request whose key is in use. */
export async function answerTo(
  request: AuthenticatedRequest,
  { fingerprint, answer }: IdempotencyRecord,
  streamed: boolean,
): Promise<Error> {
  if (fingerprint === null) return new IdempotencyInProgress();
  const own = fingerprintOf(routeOf(request), await bodyHash(request, streamed));
  if (!own.equals(fingerprint)) return new IdempotencyKeyReused();
  return answer === null ? new IdempotencyInProgress() : new ReplayedAnswer(answer);
}

/** A key that cannot be read is a 400, and the turn of those comes later. */
function readable(request: AuthenticatedRequest): KeyScope | null {
  try {
    return keyScopeOf(request);
  } catch {
    return null;
  }
}
