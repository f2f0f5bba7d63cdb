import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type { IdempotencyStore, StoredAnswer, KeyScope } from '../database/idempotency-store.js';
import { IdempotencyInProgress } from './idempotency.errors.js';

export const keyedRequestStorage = new AsyncLocalStorage<KeyedRequest>();

/** undefined outside of a request with an `Idempotency-Key`. */
export function keyedRequest(): KeyedRequest | undefined {
  return keyedRequestStorage.getStore();
}

/** A request that has its idempotency key for itself, until it is answered. */
export class KeyedRequest {
  private isStored = false;

  constructor(
    private readonly marks: IdempotencyStore,
    private readonly scope: KeyScope,
    private readonly owner: string,
    private readonly route: string,
    /** SHA-256; null: the body streams, and its handler tells when it has all of it. */
    private bodyHash: Buffer | null,
  ) {}

  get isAnswered(): boolean {
    return this.isStored;
  }

  /** Whether it is known what was asked. */
  get isWhole(): boolean {
    return this.bodyHash !== null;
  }

  /**
   * What a call to a provider derives its own key from: the same for every attempt at the same thing.
   *
   * @param purpose tells apart several calls of one request.
   */
  derivedKey(purpose: string): string {
    const { teamId, mode, digest } = this.scope;
    const parts = [teamId, mode, digest.toString('hex'), this.route, this.bodyHash?.toString('hex'), purpose];
    return createHash('sha256').update(parts.join('\n')).digest('hex');
  }

  /** A streamed body is whole. */
  hashed(bodyHash: Buffer): void {
    this.bodyHash = bodyHash;
  }

  /** Within the unit of work that has the effect. @throws IdempotencyInProgress when the lease was lost: both are undone. */
  async store(answer: StoredAnswer): Promise<void> {
    if (this.bodyHash === null)
      throw new Error('Who streams a body tells its hash before the answer is kept');
    const fingerprint = fingerprintOf(this.route, this.bodyHash);
    if (!(await this.marks.store(this.scope, this.owner, fingerprint, answer)))
      throw new IdempotencyInProgress();
    this.isStored = true;
  }

  renew(): Promise<void> {
    return this.marks.renew(this.scope, this.owner);
  }

  release(): Promise<void> {
    return this.marks.release(this.scope, this.owner);
  }
}

/** @param route method and path. */
export function fingerprintOf(route: string, bodyHash: Buffer): Buffer {
  return createHash('sha256').update(`${route}\n`).update(bodyHash).digest();
}
