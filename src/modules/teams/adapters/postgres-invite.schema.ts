import { EntitySchema } from 'typeorm';
import { referenceColumn } from '../../../platform/database/reference-column.js';
import { Invite } from '../domain/invite.js';

export const InviteSchema = new EntitySchema<Invite>({
  name: 'Invite',
  target: Invite,
  tableName: 'invites',
  columns: {
    id: { type: 'text', primary: true },
    teamId: referenceColumn('invites', 'team_id', 'Team'),
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
  uniques: [{ name: 'invites_token_digest_key', columns: ['tokenDigest'] }],
  checks: [
    { name: 'invites_check', expression: '(accepted_at IS NULL) OR (revoked_at IS NULL)' },
    { name: 'invites_role_check', expression: `role IN ('admin', 'member')` },
  ],
  indices: [
    // On lower(email): an EntitySchema has no index on an expression.
    {
      name: 'invites_one_pending',
      columns: ['teamId', 'email'],
      unique: true,
      where: 'accepted_at IS NULL AND revoked_at IS NULL',
      synchronize: false,
    },
    { name: 'invites_team', columns: ['teamId', 'createdAt', 'id'] },
  ],
});
