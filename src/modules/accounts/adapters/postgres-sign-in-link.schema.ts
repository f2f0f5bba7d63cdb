import { EntitySchema } from 'typeorm';
import { referenceColumn } from '../../../platform/database/reference-column.js';

/** A link that was requested, or sent: then `userId` and `tokenDigest` are set. */
export interface SignInLinkRow {
  id: string;
  /** Encrypted: the address, language and source of a request, the token of a link. */
  ciphertext: string;
  userId: string | null;
  tokenDigest: Buffer | null;
  expiresAt: Date;
}

export const SignInLinkRowSchema = new EntitySchema<SignInLinkRow>({
  name: 'SignInLinkRow',
  tableName: 'sign_in_links',
  columns: {
    id: { type: 'text', primary: true },
    ciphertext: { type: 'text' },
    userId: referenceColumn('sign_in_links', 'user_id', 'User', { nullable: true }),
    tokenDigest: { name: 'token_digest', type: 'bytea', nullable: true },
    expiresAt: { name: 'expires_at', type: 'timestamptz' },
  },
  uniques: [{ name: 'sign_in_links_token_digest_key', columns: ['tokenDigest'] }],
  indices: [
    { name: 'sign_in_links_requested', columns: ['id'], where: 'user_id IS NULL' },
    { name: 'sign_in_links_user', columns: ['userId'] },
    { name: 'sign_in_links_expiry', columns: ['expiresAt'] },
  ],
});
