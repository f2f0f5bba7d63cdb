import { newId } from '../../../../kernel/ids.js';
import type { Role, TeamId, UserId } from '../../../../kernel/principal.js';

export type InviteId = string;

/** Ownership is transferred between members, never by an invite. */
export const INVITE_ROLES = ['member', 'admin'] as const satisfies readonly Role[];
export type InviteRole = (typeof INVITE_ROLES)[number];

export const INVITE_STATUSES = ['pending', 'accepted', 'revoked', 'expired'] as const;
export type InviteStatus = (typeof INVITE_STATUSES)[number];

/** Limits of a team: pending invites, and invite mails per UTC day. */
export const MAX_PENDING_INVITES = 50;
export const MAX_INVITE_MAILS_PER_DAY = 20;
/** Invite mails of all teams to one mailbox per UTC day. */
export const MAX_INVITE_MAILS_PER_MAILBOX = 3;

export class Invite {
  readonly id: InviteId = newId('inv');
  acceptedAt: Date | null = null;
  acceptedBy: UserId | null = null;
  /** Also set when a newer invite to the same address replaced it. */
  revokedAt: Date | null = null;

  constructor(
    readonly teamId: TeamId,
    readonly email: string,
    readonly role: InviteRole,
    readonly tokenDigest: Buffer,
    /** May have been deleted. */
    readonly invitedBy: UserId,
    /** A mail with the link was or will be sent. */
    readonly byMail: boolean,
    readonly createdAt: Date,
    readonly expiresAt: Date,
    /** Of the proof in the mailed link; null: no mail, or one without a proof. */
    readonly proofDigest: Buffer | null = null,
  ) {}

  /** An invite that had expired before it was revoked stays expired. */
  statusAt(now: Date): InviteStatus {
    if (this.acceptedAt !== null) return 'accepted';
    if (this.revokedAt !== null && this.revokedAt < this.expiresAt) return 'revoked';
    return this.expiresAt > now ? 'pending' : 'expired';
  }
}
