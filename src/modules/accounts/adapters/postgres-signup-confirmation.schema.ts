import { EntitySchema } from 'typeorm';
import { referenceColumn } from '../../../platform/database/reference-column.js';
import type { SignupConfirmation } from '../domain/signup-confirmation.js';

export const SignupConfirmationRowSchema = new EntitySchema<SignupConfirmation>({
  name: 'SignupConfirmationRow',
  tableName: 'signup_confirmations',
  columns: {
    userId: referenceColumn('signup_confirmations', 'user_id', 'User', { primary: true }),
    teamId: referenceColumn('signup_confirmations', 'team_id', 'Team'),
    tokenDigest: { name: 'token_digest', type: 'bytea' },
    expiresAt: { name: 'expires_at', type: 'timestamptz' },
  },
  uniques: [{ name: 'signup_confirmations_token_digest_key', columns: ['tokenDigest'] }],
  indices: [
    { name: 'signup_confirmations_expiry', columns: ['expiresAt'] },
    { name: 'signup_confirmations_team', columns: ['teamId'] },
  ],
});
