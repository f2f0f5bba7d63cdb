import { AsyncLocalStorage } from 'node:async_hooks';
import type { Principal } from '../../kernel/principal.js';

/** What is known of the request that the current code runs for. */
export interface RequestContext {
  requestId: string;
  /** The socket's address, or the forwarded one behind `TRUST_PROXY`. */
  ip: string;
  /** Set by the bearer guard. */
  principal: Principal | null;
}

export const requestStorage = new AsyncLocalStorage<RequestContext>();

/** null outside of a request: in the worker and on the command line. */
export function requestContext(): RequestContext | null {
  return requestStorage.getStore() ?? null;
}
