import { newId } from '../../../../kernel/ids.js';
import {
  KEY_KINDS,
  type KeyId,
  type Mode,
  type OAuthClient,
  type Principal,
  type PublishableRules,
  type Scope,
  type TeamId,
  type UserId,
} from '../../../../kernel/principal.js';

/** `oauth`: what a user has allowed a program to do. Such a key is made by the answer to the request of the program only. */
export const LISTED_KINDS = [...KEY_KINDS, 'oauth'] as const;
type ListedKind = (typeof LISTED_KINDS)[number];

/** What a secret key is limited to, from its creation on. */
export interface KeyLimits {
  /** null: everything that its role may do. */
  scopes: readonly Scope[] | null;
  /** null: clients of all networks may use it. */
  allowedCidrs: readonly string[] | null;
}

export class ApiKey implements KeyLimits {
  readonly id: KeyId = newId('key');
  lastUsedAt: Date | null = null;
  revokedAt: Date | null = null;
  /** The text of a publishable key; null: a secret key. */
  publishableKey: string | null = null;
  /** Whom the user has allowed to act: the key stands for the grant, and only its access tokens are sent. null: no one. */
  client: OAuthClient | null = null;
  scopes: KeyLimits['scopes'] = null;
  allowedCidrs: KeyLimits['allowedCidrs'] = null;

  constructor(
    readonly teamId: TeamId,
    /** null: a service key, which does not depend on the member who created it. */
    readonly userId: UserId | null,
    public name: string,
    readonly mode: Mode,
    readonly digest: Buffer,
    readonly last4: string,
    readonly createdAt: Date,
    public expiresAt: Date | null,
    /** null: a secret key. */
    readonly publishable: PublishableRules | null = null,
    /** Issued at a sign-in to the console. */
    readonly isSignIn = false,
  ) {}

  get kind(): ListedKind {
    if (this.client !== null) return 'oauth';
    return this.publishable === null ? 'secret' : 'publishable';
  }

  /** What a caller with the key may use. */
  get grantedScopes(): readonly Scope[] {
    return this.publishable === null ? (this.scopes ?? ['all']) : ['verify'];
  }

  /** The limits of the key, as far as there are any, for the audit log. */
  auditedLimits(): Record<string, unknown> {
    return {
      ...(this.publishable && { allowed_origins: this.publishable.allowedOrigins }),
      ...(this.scopes && { scopes: this.scopes }),
      ...(this.allowedCidrs && { allowed_cidrs: this.allowedCidrs }),
      ...(this.client && { client: this.client.id }),
    };
  }

  isValid(now: Date): boolean {
    return this.revokedAt === null && (this.expiresAt === null || this.expiresAt > now);
  }

  /** Whether the key belongs to the user of the caller. A service key belongs to the team. */
  isOwnedBy(caller: Principal): boolean {
    return this.userId !== null && this.userId === caller.userId;
  }

  /** Sets the expiry to the end of the grace period, never beyond the key's own expiry; 0: revokes it. */
  retire(now: Date, graceSeconds: number): void {
    if (graceSeconds === 0) {
      this.revokedAt = now;
      return;
    }
    const end = new Date(now.getTime() + graceSeconds * 1000);
    if (this.expiresAt === null || this.expiresAt > end) this.expiresAt = end;
  }
}
