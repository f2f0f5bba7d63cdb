import { SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { MalformedHttp, PayloadTooLarge, UnsupportedMediaType } from './problems.js';

const STREAMED = 'body:streamed';

/** On a route that reads its body itself, while it comes in. */
export const StreamsBody = () => SetMetadata(STREAMED, true);

export function streamsBody(context: Pick<ExecutionContext, 'getHandler'>): boolean {
  return Reflect.getMetadata(STREAMED, context.getHandler()) === true;
}

/**
 * The format that the content type names.
 *
 * @param formats by content type.
 * @throws UnsupportedMediaType when it is none of them, not in UTF-8, or coded.
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
 * The bytes of a body as they come in; left early, the rest is taken and forgotten, since many a
 * client reads no answer before it has sent everything.
 *
 * @throws PayloadTooLarge, MalformedHttp when it breaks off.
 */
export async function* bytesOf(request: Request, most: number): AsyncGenerator<Buffer, void, undefined> {
  const tooLarge = () => new PayloadTooLarge(`The body may have at most ${most} bytes.`);
  let size = 0;
  try {
    if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge();
    const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    for await (const chunk of brokenOff(chunks)) {
      size += chunk.length;
      if (size > most) throw tooLarge();
      yield chunk;
    }
  } finally {
    request.resume();
  }
}

async function* brokenOff(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const source = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await source.next().catch(() => {
        throw new MalformedHttp('The body ended before it was whole.');
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await source.return?.();
  }
}
