import { EntitySchema } from 'typeorm';
import { Invite } from '../domain/invite.js';

export const InviteSchema = new EntitySchema<Invite>({
  name: 'Invite',
  target: Invite,
  tableName: 'invites',
  columns: {
    id: { type: 'text', primary: true },
    teamId: { name: 'team_id', type: 'text' },
    email: { type: 'text' },
    role: { type: 'text' },
    tokenDigest: { name: 'token_digest', type: 'bytea' },
    invitedBy: { name: 'invited_by', type: 'text' },
    proofDigest: { name: 'proof_digest', type: 'bytea', nullable: true },
    byMail: { name: 'by_mail', type: 'boolean' },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    expiresAt: { name: 'expires_at', type: 'timestamptz' },
    acceptedAt: { name: 'accepted_at', type: 'timestamptz', nullable: true },
    acceptedBy: { name: 'accepted_by', type: 'text', nullable: true },
    revokedAt: { name: 'revoked_at', type: 'timestamptz', nullable: true },
  },
});
