import { newId } from '../../../kernel/ids.js';
import type { KeyId, Mode, Principal, TeamId, UserId } from '../../../kernel/principal.js';

/** A key as it is stored: its text is not here, only the digest. */
export class ApiKey {
  readonly id: KeyId = newId('key');
  lastUsedAt: Date | null = null;
  revokedAt: Date | null = null;

  constructor(
    readonly teamId: TeamId,
    /** null: a service key, which outlives the member who made it. */
    readonly userId: UserId | null,
    readonly name: string,
    readonly mode: Mode,
    readonly digest: Buffer,
    readonly last4: string,
    readonly createdAt: Date,
    public expiresAt: Date | null,
  ) {}

  isValid(now: Date): boolean {
    return this.revokedAt === null && (this.expiresAt === null || this.expiresAt > now);
  }

  /** The caller's own: any of the same user, or the very key that was shown. */
  isOwnedBy(caller: Principal): boolean {
    return this.id === caller.keyId || (this.userId !== null && this.userId === caller.userId);
  }

  /** Lets the key go on for a while beside the one that replaces it, never beyond its own expiry; 0: no longer. */
  retire(now: Date, graceSeconds: number): void {
    if (graceSeconds === 0) {
      this.revokedAt = now;
      return;
    }
    const end = new Date(now.getTime() + graceSeconds * 1000);
    if (this.expiresAt === null || this.expiresAt > end) this.expiresAt = end;
  }
}
