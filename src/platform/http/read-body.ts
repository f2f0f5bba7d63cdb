import type { IncomingMessage } from 'node:http';
import type { DomainError } from '../../kernel/domain-error.js';
import type { BodyMemory } from './body-memory.js';
import { MalformedHttp, NotReady, PayloadTooLarge, RequestTimeout } from './problems.js';

export interface BodyLimits {
  mostBytes: number;
  /** All of it has to arrive within this time. */
  withinMs: number;
  memory: BodyMemory;
  /** Whose memory it takes. */
  owner: string;
}

const FIRST_BYTES = 4_096;

/**
 * A whole body. What was refused goes on being taken and forgotten, since many a client reads no
 * answer before it has sent everything.
 *
 * @throws PayloadTooLarge, RequestTimeout, NotReady when there is no memory left, MalformedHttp when it breaks off.
 */
export function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const { mostBytes, withinMs, memory, owner } = limits;
  // One buffer that grows: a body of chunks of one byte would take a hundred times its size.
  let bytes = Buffer.alloc(0);
  let size = 0;

  const take = (chunk: Buffer): DomainError | null => {
    const needed = size + chunk.length;
    if (needed > mostBytes) return tooLarge(mostBytes);
    if (needed > bytes.length) {
      const larger = Math.min(mostBytes, Math.max(FIRST_BYTES, 2 * bytes.length, needed));
      if (!memory.take(owner, larger - bytes.length)) return tooMany();
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
      memory.release(owner, bytes.length);
      if (error === null) return resolve(bytes.subarray(0, size));
      request.resume();
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      const error = take(chunk);
      if (error !== null) settle(error);
    };
    const onEnd = () => settle(null);
    const onClose = () => settle(new MalformedHttp('The body ended before it was whole.'));
    const timer = setTimeout(
      () => settle(new RequestTimeout(`The body has to arrive within ${withinMs / 1000} s.`)),
      withinMs,
    );
    if (request.destroyed) return onClose();
    if (Number(request.headers['content-length'] ?? 0) > mostBytes) return settle(tooLarge(mostBytes));
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

const tooLarge = (most: number) => new PayloadTooLarge(`The body may have at most ${most} bytes.`);
const tooMany = () => new NotReady('Too many bodies are arriving at once.');
