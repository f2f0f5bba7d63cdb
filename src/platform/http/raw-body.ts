import type { Request } from 'express';
import { createHash } from 'node:crypto';
import { clientNetworkOf } from '../net/client-network.js';
import { BodyMemory } from './body-memory.js';
import { UnsupportedMediaType } from './problems.js';
import { readBody } from './read-body.js';
import type { AuthenticatedRequest } from './request-log.js';
import { bytesOf } from './streamed-body.js';

const MOST_BYTES = 100_000;
/** More than any tier's list: what is hashed is not kept. */
const MOST_STREAMED_BYTES = 1_000_000_000;

const WITHIN_MS = 10_000;

/** Of the whole process. Strangers and teams take nothing from each other, nor does one of them all. */
const MEMORY_OF_STRANGERS = new BodyMemory(16_000_000, 2_000_000);
const MEMORY_OF_TEAMS = new BodyMemory(64_000_000, 8_000_000);

const read = new WeakMap<Request, Promise<Buffer>>();

export function hasBody(request: Request): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  );
}

/**
 * A whole body of any content type.
 *
 * @throws PayloadTooLarge, RequestTimeout, NotReady, MalformedHttp
 */
export function bufferedBody(request: AuthenticatedRequest, mostBytes: number): Promise<Buffer> {
  const { principal, ip = '' } = request;
  const whose =
    principal === undefined
      ? { memory: MEMORY_OF_STRANGERS, owner: clientNetworkOf(ip) }
      : { memory: MEMORY_OF_TEAMS, owner: principal.teamId };
  return readBody(request, { mostBytes, withinMs: WITHIN_MS, ...whose });
}

/** The bytes of a JSON body, read once however often they are asked for. */
export function bodyOf(request: Request): Promise<Buffer> {
  const known = read.get(request);
  if (known) return known;
  const reading = wholeBody(request);
  read.set(request, reading);
  return reading;
}

/** SHA-256 of the body as it was sent; a streamed one is used up. */
export async function bodyHash(request: Request, streamed: boolean): Promise<Buffer> {
  const hash = createHash('sha256');
  if (!hasBody(request)) return hash.digest();
  if (!streamed) return hash.update(await bodyOf(request)).digest();
  for await (const chunk of bytesOf(request, MOST_STREAMED_BYTES)) hash.update(chunk);
  return hash.digest();
}

async function wholeBody(request: Request): Promise<Buffer> {
  if (!/^application\/json(\s*;\s*charset="?utf-8"?)?\s*$/i.test(request.headers['content-type'] ?? '')) {
    throw new UnsupportedMediaType('Send Content-Type: application/json.');
  }
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new UnsupportedMediaType('Send the body without a content coding.');
  }
  return bufferedBody(request, MOST_BYTES);
}
