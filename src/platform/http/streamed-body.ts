import { SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { MalformedHttp, PayloadTooLarge, UnsupportedMediaType } from './problems.js';

const STREAMED = 'body:streamed';

/** For a route whose handler reads the body as a stream. */
export const StreamsBody = () => SetMetadata(STREAMED, true);

export function streamsBody(context: Pick<ExecutionContext, 'getHandler'>): boolean {
  return Reflect.getMetadata(STREAMED, context.getHandler()) === true;
}

/**
 * The format that the content type names.
 *
 * @param formats by content type.
 * @throws UnsupportedMediaType if the type is unknown, the charset is not UTF-8, or a content coding is set.
 */
export function formatOf<Format>(request: Request, formats: Readonly<Record<string, Format>>): Format {
  const { 'content-type': type = '', 'content-encoding': coding = 'identity' } = request.headers;
  const [, name = ''] = /^\s*([\w.+/-]+)\s*(?:;\s*(?:charset="?utf-8"?|header=\w+)\s*)*$/i.exec(type) ?? [];
  const format = Object.hasOwn(formats, name.toLowerCase()) ? formats[name.toLowerCase()] : undefined;
  if (format === undefined)
    throw new UnsupportedMediaType(`Send Content-Type: ${Object.keys(formats).join(' or ')}, in UTF-8.`);
  if (coding !== 'identity') throw new UnsupportedMediaType('Send the body without a content coding.');
  return format;
}

/**
 * The chunks of a body. If the consumer stops early, the rest is read and discarded, since many clients
 * read the response only after they have sent the whole body.
 *
 * @throws PayloadTooLarge, MalformedHttp if the body is incomplete.
 */
export async function* bytesOf(request: Request, maxBytes: number): AsyncGenerator<Buffer, void, undefined> {
  const tooLarge = () => new PayloadTooLarge(`The body may have at most ${maxBytes} bytes.`);
  let size = 0;
  try {
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
    const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    for await (const chunk of withMalformedError(chunks)) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge();
      yield chunk;
    }
  } finally {
    request.resume();
  }
}

async function* withMalformedError(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const source = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await source.next().catch(() => {
        throw new MalformedHttp('The body is incomplete.');
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await source.return?.();
  }
}
