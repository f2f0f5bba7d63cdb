import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { lastValueFrom, of, type Observable } from 'rxjs';
import { DomainError } from '../../kernel/domain-error.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { Config } from '../config/config.js';
import { IdempotencyStore, LEASE_SECONDS, type StoredAnswer } from '../database/idempotency-store.js';
import { isInSteps, keyScopeOf, routeOf } from './idempotency-key.js';
import { answerTo } from './idempotency.guard.js';
import { IdempotencyInProgress } from './idempotency.errors.js';
import { fingerprintOf, KeyedRequest, keyedRequest, keyedRequestStorage } from './keyed-request.js';
import { problemOf } from './problem.filter.js';
import { bodyHash } from './raw-body.js';
import { PROBLEM_TYPE } from './replay.filter.js';
import type { AuthenticatedRequest } from './request-log.js';
import { streamsBody } from './streamed-body.js';

/** Three chances to say that the request lives, before it is taken for dead. */
const RENEW_MS = (LEASE_SECONDS * 1_000) / 3;
/** What of an answer is not its body. */
const KEPT_HEADERS = ['location', 'retry-after', 'cache-control'];
/** Members that hold a secret in the one answer that shows it: stored, and given again, as null. */
const SHOWN_ONCE = new Set(['key', 'token', 'accept_url', 'secret']);
const KEPT_ERRORS = ['not-found', 'conflict'];

/**
 * Does what is asked under an `Idempotency-Key` once. The key is taken first, in a commit of its
 * own; the answer is committed together with what was done, or neither is.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly marks: IdempotencyStore,
    private readonly work: UnitOfWork,
    private readonly config: Config,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<AuthenticatedRequest>();
    if (keyScopeOf(request) === null) return next.handle();
    const keyed = await this.take(request, streamsBody(context));
    const heartbeat = setInterval(() => void keyed.renew().catch(() => undefined), RENEW_MS);
    try {
      return of(await keyedRequestStorage.run(keyed, () => this.carryOut(keyed, context, next)));
    } catch (error) {
      await this.refused(keyed, error).catch(() => undefined);
      throw error;
    } finally {
      clearInterval(heartbeat);
    }
  }

  /** @throws what answers a request whose key somebody else has, or had. */
  private async take(request: AuthenticatedRequest, streamed: boolean): Promise<KeyedRequest> {
    const scope = keyScopeOf(request);
    if (scope === null) throw new Error('A request without a key has none to take');
    const route = routeOf(request);
    const hash = streamed ? null : await bodyHash(request, false);
    const owner = await this.marks.claim(scope, hash && fingerprintOf(route, hash));
    if (owner !== null) return new KeyedRequest(this.marks, scope, owner, route, hash);
    const mark = await this.marks.find(scope);
    // Given back in this very moment: the next attempt will have it.
    throw mark === null ? new IdempotencyInProgress() : await answerTo(request, mark, streamed);
  }

  private carryOut(keyed: KeyedRequest, context: ExecutionContext, next: CallHandler): Promise<unknown> {
    const response = context.switchToHttp().getResponse<Response>();
    const handle = async () => {
      const result: unknown = await lastValueFrom(next.handle(), { defaultValue: undefined });
      if (!keyed.isAnswered) await keyed.store(answerOf(response, result));
      return result;
    };
    return isInSteps(context) || streamsBody(context) ? handle() : this.work.run(handle);
  }

  /** "There is no such thing" stays true for the key; whatever else went wrong may be tried again. */
  private async refused(keyed: KeyedRequest, error: unknown): Promise<void> {
    const lasts =
      error instanceof DomainError &&
      !(error instanceof IdempotencyInProgress) &&
      KEPT_ERRORS.includes(error.fact.kind);
    if (!lasts || !keyed.isWhole) return keyed.release();
    const problem = problemOf(error, this.config.publicUrl);
    const headers = { 'content-type': PROBLEM_TYPE, 'cache-control': 'no-store' };
    await keyed.store({ status: problem.status, headers, body: JSON.stringify(problem) });
  }
}

/**
 * Stores the answer in the unit of work that is open: for a handler that works in several, in its
 * last. Without an `Idempotency-Key` there is nothing to store.
 *
 * @param hash SHA-256 of a body that was streamed.
 */
export async function storeAnswer(response: Response, body: object, hash: Buffer): Promise<void> {
  const keyed = keyedRequest();
  keyed?.hashed(hash);
  await keyed?.store(answerOf(response, body));
}

function answerOf(response: Response, result: unknown): StoredAnswer {
  const headers: Record<string, string> = {};
  if (result !== undefined) headers['content-type'] = 'application/json; charset=utf-8';
  for (const name of KEPT_HEADERS) {
    const value = response.getHeader(name);
    if (value !== undefined) headers[name] = String(value);
  }
  const body = result === undefined ? null : JSON.stringify(withoutSecrets(result as object));
  return { status: response.statusCode, headers, body };
}

function withoutSecrets(answer: object): object {
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]: [string, unknown]) => [
      name,
      SHOWN_ONCE.has(name) ? withoutSecret(value) : value,
    ]),
  );
}

/** A whole key, of which only the member `key` is the secret, keeps what else is known of it. */
function withoutSecret(value: unknown): object | null {
  return typeof value === 'object' && value !== null ? withoutSecrets(value) : null;
}
