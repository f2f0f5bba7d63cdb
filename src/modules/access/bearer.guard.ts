import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { InvalidCredential } from '../../kernel/invalid-credential.js';
import type { Principal } from '../../kernel/principal.js';
import { then, type Soon } from '../../kernel/soon.js';
import { routePolicy } from '../../platform/http/route-policy.js';
import { requestContext } from '../../platform/telemetry/request-context.js';
import type { AuthenticatedRequest } from '../../platform/http/request-log.js';
import { TtlCache } from '../../platform/memory/ttl-cache.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { KeyUseService } from '../api-keys/key-use.service.js';
import { MissingCredential } from './access.errors.js';

/** RFC 6750 §2.1; the scheme's letters may have any case (RFC 9110 §11.1). */
const BEARER = /^bearer +(\S+) *$/i;
/** Keys that a process remembers, good and bad. */
const MOST_KEYS = 10_000;

/** Who calls? Every route asks, unless it says `@Public()`. */
@Injectable()
export class BearerGuard implements CanActivate {
  /** By the digest of the key: its text is kept nowhere. */
  private readonly principals: TtlCache<Principal | null>;

  constructor(
    private readonly keys: ApiKeysService,
    private readonly keyUse: KeyUseService,
    private readonly clock: Clock,
  ) {
    this.principals = new TtlCache(clock, MOST_KEYS);
    keys.onChange((digest) => this.principals.forget(digest));
  }

  canActivate(context: ExecutionContext): Soon<boolean> {
    if (routePolicy(context).public) return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const header = request.headers.authorization;
    if (header === undefined || header.trim() === '') throw new MissingCredential();
    const secret = BEARER.exec(header)?.[1];
    const found = secret === undefined ? null : this.principalOf(secret);
    return then(found, (principal) => this.admit(request, principal));
  }

  private principalOf(secret: string): Soon<Principal | null> {
    const digest = this.keys.digest(secret);
    if (digest === null) return null;
    return this.principals.get(digest, () => this.keys.authenticate(secret));
  }

  private admit(request: AuthenticatedRequest, principal: Principal | null): true {
    // A key ends in its very moment, however well it is remembered.
    if (principal === null || this.isOver(principal)) throw new InvalidCredential();
    this.keyUse.touch(principal.keyId);
    request.principal = principal;
    const known = requestContext();
    if (known !== null) known.principal = principal;
    return true;
  }

  private isOver({ expiresAt }: Principal): boolean {
    return expiresAt !== null && expiresAt <= this.clock.now();
  }
}
