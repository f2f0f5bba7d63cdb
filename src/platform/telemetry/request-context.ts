import { AsyncLocalStorage } from 'node:async_hooks';
import type { Principal } from '../../kernel/principal.js';

/** The context of the current HTTP request. */
export interface RequestContext {
  requestId: string;
  /** The address of the socket, or the forwarded address if `TRUST_PROXY` is set. */
  ip: string;
  /** Set by the bearer guard. */
  principal: Principal | null;
}

export const requestStorage = new AsyncLocalStorage<RequestContext>();

/** null outside of a request, in the worker and on the command line. */
export function requestContext(): RequestContext | null {
  return requestStorage.getStore() ?? null;
}
