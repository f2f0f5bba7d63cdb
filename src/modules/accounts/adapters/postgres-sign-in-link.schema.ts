import { EntitySchema } from 'typeorm';

/** A link that was requested (`ciphertext` is set) or sent (`userId` and `tokenDigest` are set). */
export interface SignInLinkRow {
  id: string;
  /** The address, encrypted. */
  ciphertext: string | null;
  userId: string | null;
  tokenDigest: Buffer | null;
  expiresAt: Date;
}

export const SignInLinkRowSchema = new EntitySchema<SignInLinkRow>({
  name: 'SignInLinkRow',
  tableName: 'sign_in_links',
  columns: {
    id: { type: 'text', primary: true },
    ciphertext: { type: 'text', nullable: true },
    userId: {
      name: 'user_id',
      type: 'text',
      nullable: true,
      foreignKey: { target: 'User', name: 'sign_in_links_user_id_fkey', onDelete: 'CASCADE' },
    },
    tokenDigest: { name: 'token_digest', type: 'bytea', nullable: true },
    expiresAt: { name: 'expires_at', type: 'timestamptz' },
  },
  uniques: [{ name: 'sign_in_links_token_digest_key', columns: ['tokenDigest'] }],
  indices: [
    { name: 'sign_in_links_requested', columns: ['id'], where: 'ciphertext IS NOT NULL' },
    { name: 'sign_in_links_user', columns: ['userId'] },
    { name: 'sign_in_links_expiry', columns: ['expiresAt'] },
  ],
});
