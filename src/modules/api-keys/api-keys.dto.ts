import { z } from 'zod';
import { MODES } from '../../kernel/principal.js';
import { listOf } from '../../platform/http/cursor.js';
import { NameField } from '../../platform/http/fields.js';
import type { IssuedKey, CreateKeyInput } from './api-keys.service.js';
import type { ApiKey } from './domain/api-key.js';

const MOST_GRACE_SECONDS = 2_592_000;
const SEND_GRACE = 'Send a whole number of seconds from 0 to 2592000 (30 days).';

export const ApiKeyCreate = z
  .strictObject({
    name: NameField,
    mode: z
      .enum(MODES, 'Send live or test.')
      .default('live')
      .meta({ description: 'Test keys touch no network and cost nothing.' }),
    service: z
      .boolean('Send true or false.')
      .default(false)
      .meta({ description: 'Belongs to the team alone and outlives its maker; takes the role admin.' }),
    expires_at: z.iso
      .datetime('Send a time in UTC, such as 2030-01-31T12:00:00Z.')
      .nullable()
      .default(null)
      .meta({ description: 'In the future; null: it does not expire.' }),
  })
  .meta({ id: 'ApiKeyCreate' });

export const ApiKeyRotate = z
  .strictObject({
    grace_seconds: z.int(SEND_GRACE).min(0, SEND_GRACE).max(MOST_GRACE_SECONDS, SEND_GRACE).default(0).meta({
      description: 'How long the old key goes on beside the new one, up to 30 days; 0: it ends now.',
    }),
  })
  .prefault({})
  .meta({ id: 'ApiKeyRotate' });

const masked = {
  id: z.string(),
  name: z.string(),
  mode: z.enum(MODES),
  prefix: z.enum(['rcpt_live_', 'rcpt_test_']),
  last4: z.string().meta({ description: 'The last four characters: with the prefix, all that is shown.' }),
  service: z.boolean(),
  user_id: z.string().nullable().meta({ description: 'null: a service key.' }),
  team_id: z.string(),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable().meta({ description: 'Some 10 seconds behind.' }),
  expires_at: z.iso.datetime().nullable(),
  revoked_at: z.iso.datetime().nullable(),
};

export const KeyResponse = z.strictObject(masked).meta({ id: 'Key' });
export type KeyResponse = z.infer<typeof KeyResponse>;

export const NewKeyResponse = z
  .strictObject({
    ...masked,
    key: z
      .string()
      .nullable()
      .meta({ description: 'The key itself, once; null when the answer is replayed.' }),
  })
  .meta({ id: 'NewKey' });
export type NewKeyResponse = z.infer<typeof NewKeyResponse>;

export const KeysPage = listOf(KeyResponse);
export type KeysPage = z.infer<typeof KeysPage>;

export function toInput(body: z.infer<typeof ApiKeyCreate>): CreateKeyInput {
  const { name, mode, service, expires_at } = body;
  return {
    name,
    mode,
    service,
    expiresAt: expires_at === null ? null : new Date(expires_at),
  };
}

export function toResponse(key: ApiKey): KeyResponse {
  return {
    id: key.id,
    name: key.name,
    mode: key.mode,
    prefix: `rcpt_${key.mode}_`,
    last4: key.last4,
    service: key.userId === null,
    user_id: key.userId,
    team_id: key.teamId,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}

export function toNewResponse({ key, secret }: IssuedKey): NewKeyResponse {
  return { ...toResponse(key), key: secret };
}
