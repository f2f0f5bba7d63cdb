import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { accessWords } from '../../platform/http/access.js';
import { requestContext } from '../../platform/http/request-context.js';
import type { AuthenticatedRequest } from '../../platform/http/request-log.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { InvalidCredential, MissingCredential } from './access.errors.js';

/** RFC 6750 §2.1; the scheme's letters may have any case (RFC 9110 §11.1). */
const BEARER = /^bearer +(\S+) *$/i;

/** Who calls? Every route asks, unless it says `@Public()`. */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: ApiKeysService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (accessWords(this.reflector, context).public) return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const header = request.headers.authorization;
    if (header === undefined || header.trim() === '') throw new MissingCredential();
    const secret = BEARER.exec(header)?.[1];
    const principal = secret === undefined ? null : await this.keys.authenticate(secret);
    if (principal === null) throw new InvalidCredential();
    request.principal = principal;
    const known = requestContext();
    if (known !== null) known.principal = principal;
    return true;
  }
}
