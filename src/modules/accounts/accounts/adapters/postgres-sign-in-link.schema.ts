import { EntitySchema } from 'typeorm';

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
    userId: { name: 'user_id', type: 'text', nullable: true },
    tokenDigest: { name: 'token_digest', type: 'bytea', nullable: true },
    expiresAt: { name: 'expires_at', type: 'timestamptz' },
  },
});
