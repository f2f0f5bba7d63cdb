import type { Writable } from 'node:stream';
import type { Principal } from '../../kernel/language.js';
import { Ambient } from '../memory/ambient.js';
import type { KeyedRequest } from './keyed-request.js';

/** What is known of the request under way, wherever in the code one stands: who did it. */
export interface RequestContext {
  requestId: string;
  /** The socket's address, or the forwarded one behind `TRUST_PROXY`. */
  ip: string;
  /** Set by the bearer guard. */
  principal: Principal | null;
  /** Set while a request with an `Idempotency-Key` is carried out. */
  keyed?: KeyedRequest;
}

/** A caller who has gone is no reason to stop: what is under way goes on to its end, within this. */
const GOES_ON_MS = 60_000;

const current = new Ambient<RequestContext>();

/** @param response its end is that of the request. */
export function inRequest<T>(context: RequestContext, response: Writable, work: () => T): T {
  response.once('close', () => {
    if (response.writableFinished) current.leave();
    else setTimeout(() => current.leave(), GOES_ON_MS).unref();
  });
  return current.enter(context, work);
}

/** null outside of a request, in the worker, on the command line, and while `GET /v1/verify` is answered. */
export function requestContext(): RequestContext | null {
  return current.get() ?? null;
}
