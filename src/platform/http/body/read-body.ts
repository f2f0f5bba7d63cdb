import type { IncomingMessage } from 'node:http';
import type { DomainError } from '../../../kernel/errors.js';
import { MalformedHttp, NotReady, PayloadTooLarge, RequestTimeout } from '../problems/problems.js';
import type { BodyMemory } from './body-memory.js';

interface BodyLimits extends BodyMemory {
  maxBytes: number;
  /** The complete body must arrive within this time. */
  timeoutMs: number;
}

const INITIAL_BYTES = 4_096;

/** A body in one growing buffer: a list of one-byte chunks would use a hundred times the memory. */
class ReceivedBody {
  private bytes = Buffer.alloc(0);
  private size = 0;

  constructor(private readonly limits: BodyLimits) {}

  append(chunk: Buffer): DomainError | null {
    const { maxBytes, memory, requester } = this.limits;
    const needed = this.size + chunk.length;
    if (needed > maxBytes) return tooLarge(maxBytes);
    if (needed > this.bytes.length) {
      const larger = Math.min(maxBytes, Math.max(INITIAL_BYTES, 2 * this.bytes.length, needed));
      if (!memory.tryAcquire(requester, larger - this.bytes.length)) return memoryLimitReached();
      this.bytes = Buffer.concat([this.bytes.subarray(0, this.size)], larger);
    }
    chunk.copy(this.bytes, this.size);
    this.size = needed;
    return null;
  }

  /** Releases its memory; to be called once. */
  end(): Buffer {
    this.limits.memory.release(this.limits.requester, this.bytes.length);
    return this.bytes.subarray(0, this.size);
  }
}

/**
 * Reads a complete body. After an error the rest is read and discarded, since many clients read the
 * response only after they have sent the whole body.
 *
 * @throws PayloadTooLarge, RequestTimeout, NotReady if the memory limit is reached, MalformedHttp if the body is incomplete.
 */
export function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const { maxBytes, timeoutMs } = limits;
  const body = new ReceivedBody(limits);
  return new Promise<Buffer>((resolve, reject) => {
    const finish = (error: DomainError | null) => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      const bytes = body.end();
      if (error === null) return resolve(bytes);
      request.resume();
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      const error = body.append(chunk);
      if (error !== null) finish(error);
    };
    const onEnd = () => finish(null);
    const onClose = () => finish(new MalformedHttp('The body is incomplete.'));
    const timer = setTimeout(() => finish(tooLate(timeoutMs)), timeoutMs);
    if (request.destroyed) return onClose();
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) return finish(tooLarge(maxBytes));
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

/**
 * Reads bytes to their end that are read as a stream, because they are decompressed or a part of a form.
 *
 * @throws PayloadTooLarge, RequestTimeout, NotReady if the memory limit is reached, and errors of the source.
 */
export async function collectBody(source: AsyncIterable<Buffer>, limits: BodyLimits): Promise<Buffer> {
  const { timeoutMs } = limits;
  const body = new ReceivedBody(limits);
  let onLate = () => {};
  const late = new Promise<never>((_, reject) => (onLate = () => reject(tooLate(timeoutMs))));
  late.catch(() => undefined);
  const timer = setTimeout(onLate, timeoutMs);
  const chunks = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([chunks.next(), late]);
      if (next.done === true) break;
      const error = body.append(next.value);
      if (error !== null) throw error;
    }
  } catch (error) {
    body.end();
    // Not awaited: it waits for a chunk that may never arrive.
    void chunks.return?.().catch(() => undefined);
    throw error;
  } finally {
    clearTimeout(timer);
  }
  return body.end();
}

const tooLate = (timeoutMs: number) =>
  new RequestTimeout(`The body must arrive within ${timeoutMs / 1000} s.`);
const tooLarge = (maxBytes: number) => new PayloadTooLarge(`The body may have at most ${maxBytes} bytes.`);
const memoryLimitReached = () =>
  new NotReady('Too many bodies are being received. Send fewer at once, or this one again later.');
