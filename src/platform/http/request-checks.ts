import type { IncomingMessage } from 'node:http';
import { InvalidIdempotencyKey } from './idempotency/idempotency.errors.js';
import { HeadersTooLarge, MalformedHttp, TargetTooLong } from './problems/problems.js';

export const MAX_TARGET_BYTES = 8_192;
export const MAX_HEADER_BYTES = 16_384;
/** The shortest header line has four bytes: `a:` and CRLF. */
export const MAX_HEADERS = MAX_HEADER_BYTES / 4;

/** `: ` and CRLF. */
const LINE_BYTES = 4;

/**
 * Checks every request before routing. The time is linear in the bytes of the request line and headers.
 *
 * @throws TargetTooLong, HeadersTooLarge, MalformedHttp, InvalidIdempotencyKey
 */
export function checkRequest(request: IncomingMessage): void {
  const { url = '', httpVersion, rawHeaders } = request;
  if (url.length > MAX_TARGET_BYTES) throw new TargetTooLong();
  let bytes = 0;
  let hosts = 0;
  let idempotencyKeys = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    bytes += name.length + (rawHeaders[i + 1]?.length ?? 0) + LINE_BYTES;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
    if (name.length === 15 && name.toLowerCase() === 'idempotency-key') idempotencyKeys++;
  }
  if (bytes > MAX_HEADER_BYTES) throw new HeadersTooLarge();
  // RFC 9112 §3.2. Node uses the first Host header and drops the others.
  if (hosts > 1) throw new MalformedHttp('Send one Host header.');
  if (httpVersion === '1.1' && hosts === 0) throw new MalformedHttp('HTTP/1.1 requires a Host header.');
  // Node joins repeated headers, and the joined value could equal another key.
  if (idempotencyKeys > 1) throw new InvalidIdempotencyKey();
}
