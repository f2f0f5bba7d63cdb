import type { Principal } from '../../kernel/principal.js';
import { AsyncContext } from '../memory/async-context.js';

/** The context of an HTTP request that changes something. */
interface RequestContext {
  requestId: string;
  /** The address of the socket, or the forwarded address if `TRUST_PROXY` is set. */
  ip: string;
  /** null: the route is public. */
  principal: Principal | null;
}

/** No value outside of such a request, in the worker and on the command line. */
export const requestContexts = new AsyncContext<RequestContext>();
