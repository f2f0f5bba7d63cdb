import { AsyncLocalStorage } from 'node:async_hooks';
import type { Principal } from '../../kernel/language.js';
import type { KeyedRequest } from './keyed-request.js';

/** What is known of the request under way, wherever in the code one stands. */
export interface RequestContext {
  requestId: string;
  /** The socket's address, or the forwarded one behind `TRUST_PROXY`. */
  ip: string;
  /** Set by the bearer guard. */
  principal: Principal | null;
  /** Set while a request with an `Idempotency-Key` is carried out. */
  keyed?: KeyedRequest;
}

const current = new AsyncLocalStorage<RequestContext>();

export function inRequest<T>(context: RequestContext, work: () => T): T {
  return current.run(context, work);
}

/** null outside of a request: in the worker, on the command line. */
export function requestContext(): RequestContext | null {
  return current.getStore() ?? null;
}
