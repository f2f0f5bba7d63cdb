import { EntitySchema } from 'typeorm';
import { ApiKey } from '../domain/api-key.js';

export const ApiKeySchema = new EntitySchema<ApiKey>({
  name: 'ApiKey',
  target: ApiKey,
  tableName: 'api_keys',
  columns: {
    id: { type: 'text', primary: true },
    teamId: { name: 'team_id', type: 'text' },
    userId: { name: 'user_id', type: 'text', nullable: true },
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
    client: { name: 'oauth_client', type: 'jsonb', nullable: true },
    scopes: { type: 'text', array: true, nullable: true },
    allowedCidrs: { name: 'allowed_cidrs', type: 'text', array: true, nullable: true },
    publishableKey: { name: 'publishable_key', type: 'text', nullable: true },
  },
});
