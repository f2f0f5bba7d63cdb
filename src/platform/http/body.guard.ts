import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { GUARDS_METADATA } from '@nestjs/common/constants.js';
import type { AuthenticatedRequest } from './request-log.js';
import type { Soon } from '../../kernel/soon.js';
import { routePolicy } from './route-policy.js';
import { MalformedJson } from './problems.js';
import { bodyOf, hasBody } from './raw-body.js';
import { streamsBody } from './streamed-body.js';
import { refuseUnknownMembers } from './unknown-members.js';

const DEEPEST = 8;
const FORBIDDEN_MEMBERS = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Reads a JSON body, and refuses what the route does not declare. It does so behind all other
 * checks, unlike a body parser put before the router: a stranger's body is never read, and 401
 * comes before 400.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  canActivate(context: ExecutionContext): Soon<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (hasBody(request) && !streamsBody(context)) return this.read(context, request);
    refuseUnknownMembers(context, request);
    return true;
  }

  private async read(context: ExecutionContext, request: AuthenticatedRequest): Promise<true> {
    request.body = parse(await bodyOf(request));
    refuseUnknownMembers(context, request);
    return true;
  }
}

/**
 * The last check of every route that asks who calls. One that has checks of its own before the body
 * names `BodyGuard` behind them, and so does a public one.
 */
@Injectable()
export class CallersBodyGuard extends BodyGuard {
  private readonly readElsewhere = new WeakMap<object, boolean>();

  override canActivate(context: ExecutionContext): Soon<boolean> {
    return routePolicy(context).public || this.isReadElsewhere(context) || super.canActivate(context);
  }

  private isReadElsewhere(context: ExecutionContext): boolean {
    const handler = context.getHandler();
    let known = this.readElsewhere.get(handler);
    if (known === undefined) {
      const guards = (Reflect.getMetadata(GUARDS_METADATA, handler) ?? []) as unknown[];
      known = guards.includes(BodyGuard);
      this.readElsewhere.set(handler, known);
    }
    return known;
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
