import { newId } from '../../../kernel/ids.js';
import type { Role, TeamId, UserId } from '../../../kernel/principal.js';

export type InviteId = string;

/** Whether it could name an invite at all; a database cannot be asked about just any text (NUL). */
export function looksLikeInviteId(text: string): boolean {
  return /^inv_[0-9a-z]{26}$/.test(text);
}

/** An owner is made by handing the team over, never by an invite. */
export const INVITE_ROLES = ['member', 'admin'] as const satisfies readonly Role[];
export type InviteRole = (typeof INVITE_ROLES)[number];

export const INVITE_STATUSES = ['pending', 'accepted', 'revoked', 'expired'] as const;
export type InviteStatus = (typeof INVITE_STATUSES)[number];

/** What a team may have, pending at once and mailed in one UTC day. */
export const MOST_PENDING_INVITES = 50;
export const MOST_INVITE_MAILS_A_DAY = 20;

/** An invite as it is stored: its token is not here, only the digest. */
export class Invite {
  readonly id: InviteId = newId('inv');
  acceptedAt: Date | null = null;
  acceptedBy: UserId | null = null;
  /** Also when a newer invite to the same address took its place. */
  revokedAt: Date | null = null;

  constructor(
    readonly teamId: TeamId,
    readonly email: string,
    readonly role: InviteRole,
    readonly tokenDigest: Buffer,
    /** May be gone by now. */
    readonly invitedBy: UserId,
    /** A mail with the link was, or will be, sent. */
    readonly byMail: boolean,
    readonly createdAt: Date,
    readonly expiresAt: Date,
  ) {}

  /** An invite that had expired before it was revoked stays expired. */
  statusAt(now: Date): InviteStatus {
    if (this.acceptedAt !== null) return 'accepted';
    if (this.revokedAt !== null && this.revokedAt < this.expiresAt) return 'revoked';
    return this.expiresAt > now ? 'pending' : 'expired';
  }
}
