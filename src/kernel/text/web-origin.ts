import { parsedUrl } from './parsed-url.js';

/** Scheme, host and optional port; a slash at the end is what an address bar shows. */
const SHAPE = /^https?:\/\/[^\s/?#@\\*]+\/?$/i;
/** After the URL parser: letters of any script are A-labels by now. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;
/** RFC 6761 §6.3, RFC 1122 §3.2.1.3. Browsers treat these as secure contexts. */
const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Longer than an origin with the longest domain name and a port. */
export const MAX_ORIGIN_LENGTH = 300;

/**
 * The origin of a web page as browsers send it in `Origin` (RFC 6454 §6.2): lower case, A-labels, no
 * default port.
 *
 * @returns null for everything else: a path, credentials, a wildcard, another scheme than https. http is
 * accepted for a loopback host only, because anyone on the network can change such a page.
 */
export function webOriginOf(text: string): string | null {
  if (text.length > MAX_ORIGIN_LENGTH || !SHAPE.test(text) || parsedUrl(text) === null) return null;
  const { protocol, hostname, origin } = new URL(text);
  if (!HOST.test(hostname)) return null;
  return protocol === 'https:' || LOOPBACK.test(hostname) ? origin : null;
}
