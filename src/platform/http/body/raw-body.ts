import type { Request } from 'express';
import { createHash } from 'node:crypto';
import { UnsupportedMediaType } from '../problems/problems.js';
import { memoryFor } from './body-memory.js';
import { mediaTypeOf } from './media-type.js';
import { readBody } from './read-body.js';
import type { AuthenticatedRequest } from '../request/request-log.js';
import { bytesOf } from './streamed-body.js';

const MAX_BYTES = 100_000;
/** Larger than the list of any tier. The body is hashed and not stored. */
const MAX_STREAMED_BYTES = 1_000_000_000;

/** The setting of the Express application: the time in which a body must arrive. */
export const BODY_TIMEOUT = 'body timeout ms';
export const BODY_TIMEOUT_MS = 10_000;

const bodies = new WeakMap<Request, Promise<Buffer>>();

export function hasBody(request: Request): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  );
}

/**
 * Reads a complete body of any content type.
 *
 * @throws PayloadTooLarge, RequestTimeout, NotReady, MalformedHttp
 */
export function bufferedBody(request: AuthenticatedRequest, maxBytes: number): Promise<Buffer> {
  const timeoutMs = request.app.get(BODY_TIMEOUT) as number;
  return readBody(request, { maxBytes, timeoutMs, ...memoryFor(request) });
}

/** The bytes of a JSON body. Later calls return the same bytes. */
export function bodyOf(request: Request): Promise<Buffer> {
  const cached = bodies.get(request);
  if (cached) return cached;
  const reading = readJsonBody(request);
  bodies.set(request, reading);
  return reading;
}

/** SHA-256 of the body as it was sent. Consumes a streamed body. */
export async function bodyHash(request: Request, streamed: boolean): Promise<Buffer> {
  const hash = createHash('sha256');
  if (!hasBody(request)) return hash.digest();
  if (!streamed) return hash.update(await bodyOf(request)).digest();
  for await (const chunk of bytesOf(request, MAX_STREAMED_BYTES)) hash.update(chunk);
  return hash.digest();
}

async function readJsonBody(request: Request): Promise<Buffer> {
  if (mediaTypeOf(request.headers['content-type']).type !== 'application/json') {
    throw new UnsupportedMediaType('Send Content-Type: application/json.');
  }
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new UnsupportedMediaType('Send the body without a content coding.');
  }
  return bufferedBody(request, MAX_BYTES);
}
