import { SetMetadata, type ExecutionContext } from '@nestjs/common';
import { createHash } from 'node:crypto';
import type { KeyScope } from '../database/idempotency-store.js';
import { InvalidIdempotencyKey } from './idempotency.errors.js';
import type { AuthenticatedRequest } from './request-log.js';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;
/** RFC 9651 §3.3.3: within quotes a backslash stands before a quote or a backslash, and nowhere else. */
const QUOTED = /^"((?:[^"\\]|\\["\\])*)"$/;

const IN_STEPS = 'idempotency:in steps';

/**
 * On a route that calls a provider, or works in several units: it is not put into one unit of work
 * with its answer. What it does must bear being done again, when a process dies before the answer
 * is stored; or it calls `keepAnswer` in its last unit.
 */
export const InSteps = () => SetMetadata(IN_STEPS, true);

export function isInSteps(route: Pick<ExecutionContext, 'getHandler'>): boolean {
  return Reflect.getMetadata(IN_STEPS, route.getHandler()) === true;
}

/**
 * Whose key came with the request; null: none, or none that counts here.
 *
 * @throws InvalidIdempotencyKey
 */
export function keyScopeOf(request: AuthenticatedRequest): KeyScope | null {
  const header = request.headers['idempotency-key'];
  const { principal } = request;
  if (request.method !== 'POST' || principal === undefined || header === undefined) return null;
  // Node joins them, and what it makes of two could be a third.
  if ((request.headersDistinct['idempotency-key'] ?? []).length > 1) throw new InvalidIdempotencyKey();
  const digest = createHash('sha256')
    .update(keyIn(String(header)))
    .digest();
  return { teamId: principal.teamId, mode: principal.mode, digest };
}

/** Method and path: what a key stands for, beside the body. */
export function routeOf(request: AuthenticatedRequest): string {
  return `${request.method} ${request.path}`;
}

/** Quoted and bare spellings are one key. @throws InvalidIdempotencyKey */
export function keyIn(header: string): string {
  const written = header.trim();
  const key = written.startsWith('"') ? QUOTED.exec(written)?.[1]?.replaceAll(/\\(.)/g, '$1') : written;
  if (key === undefined || !PRINTABLE.test(key)) throw new InvalidIdempotencyKey();
  return key;
}
