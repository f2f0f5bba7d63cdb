import { EntitySchema } from 'typeorm';

/** A sign-up that is not confirmed yet. */
export interface SignupConfirmationRow {
  userId: string;
  teamId: string;
  tokenDigest: Buffer;
  expiresAt: Date;
}

export const SignupConfirmationRowSchema = new EntitySchema<SignupConfirmationRow>({
  name: 'SignupConfirmationRow',
  tableName: 'signup_confirmations',
  columns: {
    userId: {
      name: 'user_id',
      type: 'text',
      primary: true,
      foreignKey: { target: 'User', name: 'signup_confirmations_user_id_fkey', onDelete: 'CASCADE' },
    },
    teamId: {
      name: 'team_id',
      type: 'text',
      foreignKey: { target: 'Team', name: 'signup_confirmations_team_id_fkey', onDelete: 'CASCADE' },
    },
    tokenDigest: { name: 'token_digest', type: 'bytea' },
    expiresAt: { name: 'expires_at', type: 'timestamptz' },
  },
  uniques: [{ name: 'signup_confirmations_token_digest_key', columns: ['tokenDigest'] }],
  indices: [
    { name: 'signup_confirmations_expiry', columns: ['expiresAt'] },
    { name: 'signup_confirmations_team', columns: ['teamId'] },
  ],
});

/** The number of mails in a UTC day for one address or one network address, by keyed hash. */
export interface SignupMailCountRow {
  day: string;
  counted: Buffer;
  mails: number;
}

export const SignupMailCountRowSchema = new EntitySchema<SignupMailCountRow>({
  name: 'SignupMailCountRow',
  tableName: 'signup_mail_counts',
  columns: {
    day: { type: 'date', primary: true },
    counted: { type: 'bytea', primary: true },
    mails: { type: 'integer' },
  },
});
