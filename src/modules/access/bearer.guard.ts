import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import { Clock } from '../../kernel/clock.js';
import { InvalidCredential } from '../../kernel/invalid-credential.js';
import type { Principal } from '../../kernel/principal.js';
import { allowOrigin } from '../../platform/http/cross-origin.js';
import { routePolicy } from '../../platform/http/route-policy.js';
import type { AuthenticatedRequest } from '../../platform/http/request-log.js';
import { TtlCache } from '../../platform/memory/ttl-cache.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { KeyUseService } from '../api-keys/key-use.service.js';
import { MissingCredential } from './access.errors.js';

/** RFC 6750 §2.1; the scheme's letters may have any case (RFC 9110 §11.1). */
const BEARER = /^bearer +(\S+) *$/i;
/** Maximum number of cached keys, valid or not. */
const MAX_CACHED_KEYS = 10_000;

/** Authenticates the request by its Bearer key. Routes with `@Public()` are exempt. */
@Injectable()
export class BearerGuard implements CanActivate {
  /** By the digest of the key; the key itself is not stored. */
  private readonly principals: TtlCache<Principal | null>;

  constructor(
    private readonly keys: ApiKeysService,
    private readonly keyUse: KeyUseService,
    private readonly clock: Clock,
  ) {
    this.principals = new TtlCache(clock, MAX_CACHED_KEYS);
    keys.onChange((digest) => this.principals.delete(digest));
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const policy = routePolicy(context);
    if (policy.public) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<AuthenticatedRequest>();
    try {
      return await this.authenticate(request);
    } catch (error) {
      // The error says nothing about a team, and a script must be able to tell it from a failed connection.
      if (policy.publishableKeysAllowed) allowOrigin(http.getResponse<Response>(), request.headers.origin);
      throw error;
    }
  }

  private async authenticate(request: AuthenticatedRequest): Promise<true> {
    const header = request.headers.authorization;
    if (header === undefined || header.trim() === '') throw new MissingCredential();
    const secret = BEARER.exec(header)?.[1];
    if (secret === undefined) throw new InvalidCredential();
    const digest = this.keys.digest(secret);
    if (digest === null) throw new InvalidCredential();
    const principal = () => this.principals.get(digest, () => this.keys.authenticate(secret));
    request.isKeyValid = async () => this.isValid(await principal());
    return this.admit(request, await principal());
  }

  private admit(request: AuthenticatedRequest, principal: Principal | null): true {
    if (!this.isValid(principal)) throw new InvalidCredential();
    this.keyUse.touch(principal.keyId);
    request.principal = principal;
    return true;
  }

  /** The expiry is checked on every request, since the principal is cached. */
  private isValid(principal: Principal | null): principal is Principal {
    return principal !== null && (principal.expiresAt === null || principal.expiresAt > this.clock.now());
  }
}
