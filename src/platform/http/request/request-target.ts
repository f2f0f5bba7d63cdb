import type { IncomingMessage, RequestListener } from 'node:http';
import { parsedUrl } from '../../../kernel/text/parsed-url.js';

/** Scheme and authority of a target in absolute form (RFC 9112 §3.2.2). */
const ABSOLUTE = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{0,5})?(?=[/?#]|$)/i;

const unreadable = new WeakSet<IncomingMessage>();

/**
 * Express responds to a target that it cannot parse before any middleware: without a request id, a log line and a
 * problem. Such a target is replaced, and `isTargetReadable` is false.
 */
export function withReadableTarget(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (!isReadable(request.url ?? '')) {
      unreadable.add(request);
      request.url = '/';
    }
    listener(request, response);
  };
}

export function isTargetReadable(request: IncomingMessage): boolean {
  return !unreadable.has(request);
}

function isReadable(target: string): boolean {
  return target.startsWith('/') || target === '*' || (ABSOLUTE.test(target) && parsedUrl(target) !== null);
}
