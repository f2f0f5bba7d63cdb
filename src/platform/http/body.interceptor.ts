import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { MalformedJson } from './problems.js';
import { bodyOf, hasBody } from './raw-body.js';
import { streamsBody } from './streamed-body.js';
import { refuseUndeclared } from './undeclared.js';

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
    if (hasBody(request) && !streamsBody(context)) request.body = parse(await bodyOf(request));
    refuseUndeclared(context, request);
    return next.handle();
  }
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
