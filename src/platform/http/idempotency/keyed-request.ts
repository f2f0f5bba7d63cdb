import { createHash } from 'node:crypto';
import type {
  IdempotencyStore,
  StoredResponse,
  KeyScope,
} from '../../database/idempotency/idempotency-store.js';
import { AsyncContext } from '../../memory/async-context.js';
import { IdempotencyInProgress } from './idempotency.errors.js';

/** The current request with an `Idempotency-Key`. */
export const keyedRequests = new AsyncContext<KeyedRequest>();

/** A request that holds the lease of its idempotency key. */
export class KeyedRequest {
  isStored = false;

  constructor(
    private readonly idempotency: IdempotencyStore,
    private readonly scope: KeyScope,
    private readonly holder: string,
    private readonly route: string,
    /** SHA-256; null: the body is streamed, and the handler sets the hash after it has read the body. */
    public bodyHash: Buffer | null,
  ) {}

  /**
   * An idempotency key for a call to a provider. Retries of the same request get the same key.
   *
   * @param purpose distinguishes several calls of one request.
   */
  derivedKey(purpose: string): string {
    const { teamId, mode, digest } = this.scope;
    const parts = [teamId, mode, digest.toString('hex'), this.route, this.bodyHash?.toString('hex'), purpose];
    return createHash('sha256').update(parts.join('\n')).digest('hex');
  }

  /** Stores the response in the unit of work of the changes. @throws IdempotencyInProgress if the lease was lost; both are rolled back. */
  async store(response: StoredResponse): Promise<void> {
    if (this.bodyHash === null)
      throw new Error('The hash of a streamed body must be set before the response is stored');
    const fingerprint = fingerprintOf(this.route, this.bodyHash);
    if (!(await this.idempotency.save(this.scope, this.holder, fingerprint, response)))
      throw new IdempotencyInProgress();
    this.isStored = true;
  }

  renew(): Promise<void> {
    return this.idempotency.renew(this.scope, this.holder);
  }

  release(): Promise<void> {
    return this.idempotency.release(this.scope, this.holder);
  }
}

/** @param route method and path. */
export function fingerprintOf(route: string, bodyHash: Buffer): Buffer {
  return createHash('sha256').update(`${route}\n`).update(bodyHash).digest();
}
