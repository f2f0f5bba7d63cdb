import { RcptError } from './errors.js';
import type { Verdict } from './types.js';

/** Maximum number of addresses in one request. */
const MAX_ADDRESSES = 25;
const MAX_CONCURRENCY = 1_000;

interface Batches {
  verify: (batch: readonly string[], signal: AbortSignal) => Promise<Verdict[]>;
  /** Addresses at once. */
  concurrency: number;
  signal: AbortSignal | undefined;
}

/** Yields the verdicts in the order of the addresses. The rest is canceled when the caller stops reading. */
export async function* inOrder(
  emails: Iterable<string> | AsyncIterable<string>,
  { verify, concurrency, signal }: Batches,
): AsyncGenerator<Verdict, void, undefined> {
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > MAX_CONCURRENCY)
    throw new RcptError(`concurrency is a whole number from 1 to ${MAX_CONCURRENCY}.`);
  const size = Math.min(MAX_ADDRESSES, concurrency);
  const requests = Math.floor(concurrency / size);
  const stop = new AbortController();
  const abort = () => stop.abort(signal?.reason);
  signal?.addEventListener('abort', abort);
  const batches = batchesOf(emails, size);
  const running: Promise<Verdict[]>[] = [];
  try {
    for (let hasMore = true; ;) {
      while (hasMore && running.length < requests) {
        signal?.throwIfAborted();
        const { done, value } = await batches.next();
        if (done === true) hasMore = false;
        else running.push(handled(verify(value, stop.signal)));
      }
      const first = running.shift();
      if (first === undefined) return;
      yield* await first;
    }
  } finally {
    signal?.removeEventListener('abort', abort);
    stop.abort();
    await batches.return();
  }
}

/** An error is thrown when its turn comes; until then it must not end the process. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

async function* batchesOf(
  emails: Iterable<string> | AsyncIterable<string>,
  size: number,
): AsyncGenerator<string[], void, undefined> {
  if (typeof emails === 'string') throw new RcptError('verifyMany takes an array, not a string.');
  let batch: string[] = [];
  for await (const email of emails) {
    batch.push(email);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
