import type { Request } from 'express';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { MalformedHttp, PayloadTooLarge, UnsupportedMediaType } from '../problems/problems.js';

/** RFC 9110 §8.4.1.3: `x-gzip` is the same. */
const GZIP = ['gzip', 'x-gzip'];

/**
 * A body may grow by this factor: addresses do by 10 at most, zeroes by 1,000. Below the number of bytes
 * any factor is allowed.
 */
const MAX_RATIO = 100;
const MIN_BYTES = 1_000_000;

/** @throws UnsupportedMediaType if the body has another content coding than gzip, or several. */
export function isGzip({ headers }: Request): boolean {
  const coding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (GZIP.includes(coding)) return true;
  if (coding === 'identity') return false;
  throw new UnsupportedMediaType('Send the body with Content-Encoding: gzip, or without a content coding.');
}

/**
 * Decompresses a body while it is read. If the consumer stops, the source is closed.
 *
 * @param maxBytes after decompression.
 * @throws PayloadTooLarge, MalformedHttp, and errors of the source.
 */
export async function* gunzipped(
  source: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<Buffer, void, undefined> {
  const gunzip = createGunzip();
  let received = 0;
  let isComplete = false;
  const counted = async function* () {
    for await (const chunk of source) {
      received += chunk.length;
      yield chunk;
    }
    isComplete = true;
  };
  // A failure destroys `gunzip`, where it is reported.
  pipeline(counted, gunzip).catch(() => undefined);
  let size = 0;
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes)
        throw new PayloadTooLarge(`The body may have at most ${maxBytes} bytes, counted without gzip.`);
      if (size > Math.max(MIN_BYTES, MAX_RATIO * received))
        throw new PayloadTooLarge(
          `The body is more than ${MAX_RATIO} times as large without gzip. Send it without Content-Encoding.`,
        );
      yield chunk;
    }
  } catch (error) {
    throw isZlibError(error) ? new MalformedHttp('The body is not gzip data, or is incomplete.') : error;
  } finally {
    gunzip.destroy();
  }
  // Behind the end, zlib ignores bytes that begin with zero.
  if (!isComplete || gunzip.bytesWritten < received)
    throw new MalformedHttp('The body has bytes behind the end of the gzip data.');
}

function isZlibError(error: unknown): boolean {
  return /^Z_/.test((error as { code?: string }).code ?? '');
}
