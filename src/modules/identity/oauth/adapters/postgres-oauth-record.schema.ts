import { EntitySchema } from 'typeorm';
import type { OAuthModel, OAuthRecord } from '../domain/oauth-record.repository.js';

export interface OAuthRecordRow extends OAuthRecord {
  model: OAuthModel;
  digest: Buffer;
  grantDigest: Buffer | null;
  clientDigest: Buffer | null;
}

export const OAuthRecordRowSchema = new EntitySchema<OAuthRecordRow>({
  name: 'OAuthRecordRow',
  tableName: 'oauth_records',
  columns: {
    model: { type: 'text', primary: true },
    digest: { type: 'bytea', primary: true },
    payload: { type: 'json' },
    grantDigest: { name: 'grant_digest', type: 'bytea', nullable: true },
    clientDigest: { name: 'client_digest', type: 'bytea', nullable: true },
    keyId: { name: 'key_id', type: 'text', nullable: true },
    expiresAt: { name: 'expires_at', type: 'timestamptz' },
    consumedAt: { name: 'consumed_at', type: 'timestamptz', nullable: true },
  },
});
