import type { ArrivedRequest } from '../domain/providers/event-reader.js';
import { readRequest, type ReadRequest } from '../domain/providers/read-request.js';
import type { OutcomeSource } from '../domain/sources/source.js';

interface EventReading extends Pick<OutcomeSource, 'kind' | 'secret'>, Omit<ArrivedRequest, 'body'> {
  now: Date;
}

/** Reads a request of a provider in a thread. */
export async function* read(
  bytes: AsyncIterable<Buffer>,
  { headers, url, now, ...source }: EventReading,
): AsyncGenerator<ReadRequest, void> {
  for await (const body of bytes) {
    const header = (name: string) => (Object.hasOwn(headers, name) ? headers[name] : undefined);
    yield readRequest(source, { header, body, url }, now);
  }
}
