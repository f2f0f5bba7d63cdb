import { EntitySchema } from 'typeorm';
import { referenceColumn } from '../../../platform/database/reference-column.js';
import { ApiKey } from '../domain/api-key.js';

export const ApiKeySchema = new EntitySchema<ApiKey>({
  name: 'ApiKey',
  target: ApiKey,
  tableName: 'api_keys',
  columns: {
    id: { type: 'text', primary: true },
    teamId: referenceColumn('api_keys', 'team_id', 'Team'),
    userId: referenceColumn('api_keys', 'user_id', 'User', { nullable: true }),
    name: { type: 'text' },
    mode: { type: 'text' },
    digest: { type: 'bytea' },
    last4: { type: 'text' },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    lastUsedAt: { name: 'last_used_at', type: 'timestamptz', nullable: true },
    expiresAt: { name: 'expires_at', type: 'timestamptz', nullable: true },
    revokedAt: { name: 'revoked_at', type: 'timestamptz', nullable: true },
    isSignIn: { name: 'is_sign_in', type: 'boolean', default: false },
    publishable: { type: 'jsonb', nullable: true },
  },
  uniques: [{ name: 'api_keys_digest_key', columns: ['digest'] }],
  checks: [{ name: 'api_keys_mode_check', expression: `mode IN ('live', 'test')` }],
  indices: [
    { name: 'api_keys_team', columns: ['teamId', 'createdAt', 'id'] },
    { name: 'api_keys_user', columns: ['userId'] },
  ],
});
