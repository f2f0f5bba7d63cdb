import type { IncomingMessage } from 'node:http';
import type { KeyedLimiter } from '../../../kernel/concurrency/keyed-limiter.js';
import type { DomainError } from '../../../kernel/errors.js';
import { MalformedHttp, NotReady, PayloadTooLarge, RequestTimeout } from '../problems/problems.js';

interface BodyLimits {
  maxBytes: number;
  /** The complete body must arrive within this time. */
  timeoutMs: number;
  memory: KeyedLimiter;
  /** The key in `memory`: a team or a client network. */
  requester: string;
}

const INITIAL_BYTES = 4_096;

/**
 * Reads a complete body. After an error the rest is read and discarded, since many clients read the
 * response only after they have sent the whole body.
 *
 * @throws PayloadTooLarge, RequestTimeout, NotReady if the memory limit is reached, MalformedHttp if the body is incomplete.
 */
export function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const { maxBytes, timeoutMs, memory, requester } = limits;
  // One growing buffer: a list of one-byte chunks would use a hundred times the memory.
  let bytes = Buffer.alloc(0);
  let size = 0;

  const append = (chunk: Buffer): DomainError | null => {
    const needed = size + chunk.length;
    if (needed > maxBytes) return tooLarge(maxBytes);
    if (needed > bytes.length) {
      const larger = Math.min(maxBytes, Math.max(INITIAL_BYTES, 2 * bytes.length, needed));
      if (!memory.tryAcquire(requester, larger - bytes.length)) return memoryLimitReached();
      bytes = Buffer.concat([bytes.subarray(0, size)], larger);
    }
    chunk.copy(bytes, size);
    size = needed;
    return null;
  };

  return new Promise<Buffer>((resolve, reject) => {
    const settle = (error: DomainError | null) => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      memory.release(requester, bytes.length);
      if (error === null) return resolve(bytes.subarray(0, size));
      request.resume();
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      const error = append(chunk);
      if (error !== null) settle(error);
    };
    const onEnd = () => settle(null);
    const onClose = () => settle(new MalformedHttp('The body is incomplete.'));
    const timer = setTimeout(
      () => settle(new RequestTimeout(`The body must arrive within ${timeoutMs / 1000} s.`)),
      timeoutMs,
    );
    if (request.destroyed) return onClose();
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) return settle(tooLarge(maxBytes));
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

const tooLarge = (maxBytes: number) => new PayloadTooLarge(`The body may have at most ${maxBytes} bytes.`);
const memoryLimitReached = () => new NotReady('Too many bodies are being received.');
