import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Clock } from '../../../kernel/clock.js';
import { InvalidCredential, RateLimited } from '../../../kernel/errors.js';
import type { Principal } from '../../../kernel/principal.js';
import { Config } from '../../../platform/config/config.js';
import { allowOrigin } from '../../../platform/http/cross-origin.js';
import { RESOURCE_METADATA } from '../../../platform/http/problems/problem.filter.js';
import { routePolicy, type RoutePolicy } from '../../../platform/http/request/route-policy.js';
import type { AuthenticatedRequest } from '../../../platform/http/request/request-log.js';
import { NetworkLimiter } from '../../../platform/memory/network-limiter.js';
import { TtlCache } from '../../../platform/memory/ttl-cache.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { KeyUseService } from '../api-keys/key-use.service.js';
import { AccessTokensService } from '../oauth/access-tokens.service.js';
import { MissingCredential } from './access.errors.js';

/** RFC 6750 §2.1; the scheme's letters may have any case (RFC 9110 §11.1). */
const BEARER = /^bearer +(\S+) *$/i;
/** On routes with a header of their own for the key. */
const BEARER_OR_BARE = /^(?:bearer +)?(\S+) *$/i;
/** Maximum number of cached keys, valid or not. */
const MAX_CACHED_KEYS = 10_000;
/**
 * Queries for keys that are not valid, of one client network in one process. An address may be shared by many
 * users, or be that of a proxy without `TRUST_PROXY`.
 */
const FAILED_LOOKUPS = { ofNetwork: 100, windowMs: 10_000 };
const LOOKUPS = 'The network of this client has sent too many keys that are not valid.';

/** Authenticates the request by its Bearer key. Routes with `@Public()` are exempt. */
@Injectable()
export class BearerGuard implements CanActivate {
  /**
   * By the digest of the key; the key itself is not stored. An invalid key (null) is cached like a valid one.
   * A key that was just created is not among them: it is random, so nobody could send it before.
   */
  private readonly principals: TtlCache<Principal | null>;

  private readonly lookups: NetworkLimiter;

  constructor(
    private readonly keys: ApiKeysService,
    private readonly tokens: AccessTokensService,
    private readonly keyUse: KeyUseService,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    this.principals = new TtlCache(clock, MAX_CACHED_KEYS);
    this.lookups = new NetworkLimiter(clock, FAILED_LOOKUPS);
    // Of a grant, the cached principals are those of its access tokens.
    keys.onChange((id) => this.principals.deleteWhere((principal) => principal?.keyId === id));
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const policy = routePolicy(context);
    if (policy.public) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<AuthenticatedRequest>();
    try {
      return await this.authenticate(request, policy);
    } catch (error) {
      if (policy.resourceMetadata !== null)
        http.getResponse<Response>().locals[RESOURCE_METADATA] =
          this.config.publicUrl + policy.resourceMetadata;
      // The error says nothing about a team, and a script must be able to tell it from a failed connection.
      if (policy.publishableKeysAllowed) allowOrigin(http.getResponse<Response>(), request.headers.origin);
      throw error;
    }
  }

  private async authenticate(request: AuthenticatedRequest, { keyHeader }: RoutePolicy): Promise<true> {
    const { authorization } = request.headers;
    // A client may send a placeholder as `Authorization`, and the key in the header that it was configured with.
    const header = (keyHeader && request.headers[keyHeader]?.toString()) || authorization;
    if (header === undefined || header.trim() === '') throw new MissingCredential();
    const secret = (keyHeader === null ? BEARER : BEARER_OR_BARE).exec(header)?.[1];
    if (secret === undefined) throw new InvalidCredential();
    const digest = this.keys.digest(secret) ?? this.tokens.digest(secret);
    if (digest === null) throw new InvalidCredential();
    const principal = () => this.principals.get(digest, () => this.lookUp(request, secret, digest));
    request.isKeyValid = async () => this.isValid(await principal());
    return this.admit(request, await principal());
  }

  /**
   * Only failed look-ups count, and none of a key that was valid: neither a customer whose key is cached nor the
   * number of valid keys behind one address is limited.
   *
   * @throws RateLimited, not 401: the key may be valid.
   */
  private async lookUp({ ip = '' }: Request, secret: string, digest: string): Promise<Principal | null> {
    if (this.principals.peek(digest)) return this.principalOf(secret);
    const waitMs = this.lookups.consume(ip);
    if (waitMs > 0) throw new RateLimited(waitMs / 1000, LOOKUPS);
    let isRejected = false;
    try {
      const principal = await this.principalOf(secret);
      isRejected = principal === null;
      return principal;
    } finally {
      if (!isRejected) this.lookups.giveBack(ip);
    }
  }

  /** Of a key, or of an access token: no text has the form of both. */
  private async principalOf(secret: string): Promise<Principal | null> {
    return (await this.keys.authenticate(secret)) ?? this.tokens.authenticate(secret);
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
