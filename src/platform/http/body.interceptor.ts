import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { MalformedHttp, MalformedJson, PayloadTooLarge, UnsupportedMediaType } from './problems.js';
import { refuseUndeclared } from './undeclared.js';

const MOST_BYTES = 100_000;
const DEEPEST = 8;
const FORBIDDEN_MEMBERS = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Reads a JSON body. It does so behind the guards, unlike a body parser put
 * before the router: a stranger's body is never read, and 401 comes before 400.
 */
@Injectable()
export class BodyInterceptor implements NestInterceptor {
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    if (hasBody(request)) request.body = parse(await read(request));
    refuseUndeclared(context, request);
    return next.handle();
  }
}

function hasBody(request: Request): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  );
}

async function read(request: Request): Promise<Buffer> {
  if (!/^application\/json(\s*;\s*charset="?utf-8"?)?\s*$/i.test(request.headers['content-type'] ?? '')) {
    throw new UnsupportedMediaType('Send Content-Type: application/json.');
  }
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new UnsupportedMediaType('Send the body without a content coding.');
  }
  const tooLarge = () => new PayloadTooLarge(`The body may have at most ${MOST_BYTES} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Without the option the request would be destroyed, and the connection could not be read to its end.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MOST_BYTES) break;
      chunks.push(chunk);
    }
  } catch {
    throw new MalformedHttp('The body ended before it was whole.');
  }
  if (size > MOST_BYTES) {
    // Many a client reads no answer before it has sent everything, so the rest is taken and forgotten.
    request.resume();
    throw tooLarge();
  }
  return Buffer.concat(chunks);
}

function parse(bytes: Buffer): unknown {
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new MalformedJson('The body is not JSON in UTF-8.');
  }
  inspect(body, 1);
  return body;
}

function inspect(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > DEEPEST) throw new MalformedJson(`The body nests deeper than ${DEEPEST} levels.`);
  for (const [name, member] of Object.entries(value)) {
    if (FORBIDDEN_MEMBERS.has(name)) throw new MalformedJson(`A member may not be named ${name}.`);
    inspect(member, depth + 1);
  }
}
