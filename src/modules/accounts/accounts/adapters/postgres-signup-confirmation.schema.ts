import { EntitySchema } from 'typeorm';
import type { SignupConfirmation } from '../domain/signup-confirmation.js';

export const SignupConfirmationRowSchema = new EntitySchema<SignupConfirmation>({
  name: 'SignupConfirmationRow',
  tableName: 'signup_confirmations',
  columns: {
    userId: { name: 'user_id', type: 'text', primary: true },
    teamId: { name: 'team_id', type: 'text' },
    tokenDigest: { name: 'token_digest', type: 'bytea' },
    expiresAt: { name: 'expires_at', type: 'timestamptz' },
  },
});
