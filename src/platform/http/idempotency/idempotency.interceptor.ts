import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { lastValueFrom, of, type Observable } from 'rxjs';
import { DomainError } from '../../../kernel/errors.js';
import { UnitOfWork } from '../../../kernel/unit-of-work.js';
import { Config } from '../../config/config.js';
import {
  IdempotencyStore,
  LEASE_SECONDS,
  type KeyScope,
  type StoredResponse,
} from '../../database/idempotency/idempotency-store.js';
import { keyScopeOf, routeOf } from './idempotency-key.js';
import { responseFor } from './idempotency.guard.js';
import { IdempotencyInProgress } from './idempotency.errors.js';
import { fingerprintOf, KeyedRequest, keyedRequests } from './keyed-request.js';
import { PROBLEM_TYPE, problemOf } from '../problems/problem.filter.js';
import { bodyHash } from '../body/raw-body.js';
import type { AuthenticatedRequest } from '../request/request-log.js';
import { routePolicy } from '../request/route-policy.js';

/** The lease is renewed three times before it expires. */
const RENEW_MS = (LEASE_SECONDS * 1_000) / 3;
const STORED_HEADERS = ['location', 'retry-after', 'cache-control'];
/** Members that contain a secret in any response, as `@ShownOnce` names those of one route. They are stored as null. */
const SHOWN_ONCE = ['key', 'token', 'accept_url', 'secret'];
/** Statuses of errors whose response is stored. After other errors the request can be retried. */
const STORED_STATUSES = [404, 409];

/**
 * Executes a request with an `Idempotency-Key` once. The key is claimed first, in a separate
 * transaction. The response is committed in the same transaction as the changes.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly store: IdempotencyStore,
    private readonly work: UnitOfWork,
    private readonly config: Config,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<AuthenticatedRequest>();
    const scope = keyScopeOf(request);
    if (scope === null) return next.handle();
    const keyed = await this.claimKey(scope, request, routePolicy(context).streamsBody);
    const heartbeat = setInterval(() => void keyed.renew().catch(() => undefined), RENEW_MS);
    try {
      return of(await keyedRequests.run(keyed, () => this.execute(keyed, context, next)));
    } catch (error) {
      await this.storeError(keyed, error).catch(() => undefined);
      throw error;
    } finally {
      clearInterval(heartbeat);
    }
  }

  /** @throws the error or stored response if the key is in use. */
  private async claimKey(
    scope: KeyScope,
    request: AuthenticatedRequest,
    streamed: boolean,
  ): Promise<KeyedRequest> {
    const route = routeOf(request);
    const hash = streamed ? null : await bodyHash(request, false);
    const holder = await this.store.claim(scope, hash && fingerprintOf(route, hash));
    if (holder !== null) return new KeyedRequest(this.store, scope, holder, route, hash);
    const record = await this.store.find(scope);
    // Released between the claim and the query: a retry can claim it.
    throw record === null ? new IdempotencyInProgress() : await responseFor(request, record, streamed);
  }

  private execute(keyed: KeyedRequest, context: ExecutionContext, next: CallHandler): Promise<unknown> {
    const response = context.switchToHttp().getResponse<Response>();
    const { shownOnce, multipleTransactions, streamsBody } = routePolicy(context);
    const handle = async () => {
      const result: unknown = await lastValueFrom(next.handle(), { defaultValue: undefined });
      if (!keyed.isStored) await keyed.store(storedResponse(response, result, shownOnce));
      return result;
    };
    return multipleTransactions || streamsBody ? handle() : this.work.run(handle);
  }

  /** Stores errors with a status of `STORED_STATUSES`. After other errors it releases the key. */
  private async storeError(keyed: KeyedRequest, error: unknown): Promise<void> {
    const isStored =
      error instanceof DomainError &&
      !(error instanceof IdempotencyInProgress) &&
      STORED_STATUSES.includes(error.status);
    if (!isStored || keyed.bodyHash === null) return keyed.release();
    const problem = problemOf(error, this.config.publicUrl);
    const headers = { 'content-type': PROBLEM_TYPE, 'cache-control': 'no-store' };
    await keyed.store({ status: problem.status, headers, body: JSON.stringify(problem) });
  }
}

/**
 * Stores the response in the open unit of work, for handlers with several units of work. Does nothing
 * without an `Idempotency-Key`.
 *
 * @param hash SHA-256 of a streamed body.
 */
export async function storeResponse(response: Response, body: object, hash?: Buffer): Promise<void> {
  const keyed = keyedRequests.value;
  if (keyed === undefined) return;
  keyed.bodyHash = hash ?? keyed.bodyHash;
  await keyed.store(storedResponse(response, body));
}

function storedResponse(
  response: Response,
  result: unknown,
  shownOnce: readonly string[] = [],
): StoredResponse {
  const headers: Record<string, string> = {};
  if (result !== undefined) headers['content-type'] = 'application/json; charset=utf-8';
  for (const name of STORED_HEADERS) {
    const value = response.getHeader(name);
    if (value !== undefined) headers[name] = String(value);
  }
  const body =
    result === undefined ? null : JSON.stringify(without([...SHOWN_ONCE, ...shownOnce], result as object));
  return { status: response.statusCode, headers, body };
}

/** In an object with one of these names, only such members are replaced. */
function without(names: readonly string[], body: object): object {
  const stored = Object.entries(body).map(([name, value]: [string, unknown]) => {
    if (!names.includes(name)) return [name, value];
    return [name, typeof value === 'object' && value !== null ? without(names, value) : null];
  });
  return Object.fromEntries(stored) as object;
}
