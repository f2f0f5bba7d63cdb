import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Clock } from '../../kernel/clock.js';
import type { Principal } from '../../kernel/language.js';
import { accessWords } from '../../platform/http/access.js';
import { requestContext } from '../../platform/http/request-context.js';
import type { AuthenticatedRequest } from '../../platform/http/request-log.js';
import { Remembered } from '../../platform/memory/remembered.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { KeyUseService } from '../api-keys/key-use.service.js';
import { InvalidCredential, MissingCredential } from './access.errors.js';

/** RFC 6750 §2.1; the scheme's letters may have any case (RFC 9110 §11.1). */
const BEARER = /^bearer +(\S+) *$/i;
/** Keys that a process remembers, good and bad. */
const MOST_KEYS = 10_000;

/** Who calls? Every route asks, unless it says `@Public()`. */
@Injectable()
export class BearerGuard implements CanActivate {
  /** By the digest of the key: its text is kept nowhere. */
  private readonly principals: Remembered<Principal | null>;

  constructor(
    private readonly reflector: Reflector,
    private readonly keys: ApiKeysService,
    private readonly keyUse: KeyUseService,
    private readonly clock: Clock,
  ) {
    this.principals = new Remembered(clock, MOST_KEYS);
    keys.onChange((digest) => this.principals.forget(digest));
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (accessWords(this.reflector, context).public) return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const header = request.headers.authorization;
    if (header === undefined || header.trim() === '') throw new MissingCredential();
    const secret = BEARER.exec(header)?.[1];
    const principal = secret === undefined ? null : await this.whoShows(secret);
    if (principal === null) throw new InvalidCredential();
    this.keyUse.touch(principal.keyId);
    request.principal = principal;
    const known = requestContext();
    if (known !== null) known.principal = principal;
    return true;
  }

  private async whoShows(secret: string): Promise<Principal | null> {
    const digest = this.keys.digest(secret);
    if (digest === null) return null;
    const principal = await this.principals.get(digest, () => this.keys.authenticate(secret));
    // A key ends in its very moment, however well it is remembered.
    const expiresAt = principal?.expiresAt ?? null;
    return expiresAt !== null && expiresAt <= this.clock.now() ? null : principal;
  }
}
