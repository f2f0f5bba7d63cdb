import { Injectable } from '@nestjs/common';
import { hash } from 'node:crypto';
import { Clock } from '../../../kernel/clock.js';
import type { Principal } from '../../../kernel/principal.js';
import { ClientKeysService } from '../api-keys/client-keys.service.js';
import { scopesIn } from './domain/oauth-scopes.js';
import { OAuthRecordRepository } from './domain/oauth-record.repository.js';

/** 256 random bits in base64url. */
const SHAPE = /^[\w-]{43}$/;

/** Access tokens, without the authorization server that has issued them: a request with one does not load it. */
@Injectable()
export class AccessTokensService {
  constructor(
    private readonly records: OAuthRecordRepository,
    private readonly keys: ClientKeysService,
    private readonly clock: Clock,
  ) {}

  /** The digest of this token, in hexadecimal; null when the text cannot be one. */
  digest(token: string): string | null {
    return SHAPE.test(token) ? hash('sha256', token, 'hex') : null;
  }

  /** The principal of this token; null for every invalid token, whatever the reason. */
  async authenticate(token: string): Promise<Principal | null> {
    if (!SHAPE.test(token)) return null;
    const found = await this.records.find('AccessToken', token, this.clock.now());
    if (found?.keyId === null || found?.keyId === undefined) return null;
    const principal = await this.keys.principalOf(found.keyId, found.expiresAt);
    // The client may have asked for fewer than the user has allowed.
    const scopes = scopesIn(found.payload.scope);
    return principal && { ...principal, scopes: scopes.filter((scope) => principal.scopes.includes(scope)) };
  }
}
