import { newId } from '../../../kernel/ids.js';
import type { KeyId, Mode, TeamId, UserId } from '../../../kernel/language.js';

/** A key as it is stored: its text is not here, only the digest. */
export class ApiKey {
  readonly id: KeyId = newId('key');
  lastUsedAt: Date | null = null;
  expiresAt: Date | null = null;
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
  ) {}

  isValid(now: Date): boolean {
    return this.revokedAt === null && (this.expiresAt === null || this.expiresAt > now);
  }
}
