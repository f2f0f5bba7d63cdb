import { MODES, type Mode } from '../../kernel/principal.js';
import { pageOf } from '../../platform/http/cursor.js';
import { DisplayName, Flag, Id, OneOf, Schema, Text, Time, WholeNumber } from '../../platform/http/fields.js';
import type { IssuedKey, CreateKeyInput } from './api-keys.service.js';
import type { ApiKey } from './domain/api-key.js';

const MAX_GRACE_SECONDS = 2_592_000;

@Schema('ApiKeyCreate')
export class ApiKeyCreate {
  @DisplayName({ example: 'Website' })
  name: string;

  @OneOf(MODES, {
    default: 'live',
    message: 'Send live or test.',
    description: 'Test keys use no network and are not charged.',
  })
  mode: Mode = 'live';

  @Flag({
    default: false,
    description:
      'A service key belongs to the team, not to the user who creates it. Requires the role admin.',
  })
  service = false;

  @Time({
    nullable: true,
    default: null,
    description: 'In the future; null: it does not expire.',
    example: '2030-01-31T12:00:00Z',
  })
  expires_at: string | null = null;
}

@Schema('ApiKeyRotate')
export class ApiKeyRotate {
  @WholeNumber({
    default: 0,
    min: 0,
    max: MAX_GRACE_SECONDS,
    message: `Send a whole number of seconds from 0 to ${MAX_GRACE_SECONDS} (30 days).`,
    description: 'Seconds for which the old key stays valid, up to 30 days; 0: it is revoked immediately.',
  })
  grace_seconds = 0;
}

@Schema('Key')
export class KeyResponse {
  @Id('key')
  id: string;

  @Text({ example: 'Website' })
  name: string;

  @OneOf(MODES)
  mode: Mode;

  @OneOf(['rcpt_live_', 'rcpt_test_'])
  prefix: `rcpt_${Mode}_`;

  @Text({ description: 'The last four characters.', example: 'djdW' })
  last4: string;

  @Flag()
  service: boolean;

  @Id('usr', { nullable: true, description: 'null: a service key.' })
  user_id: string | null;

  @Id('team')
  team_id: string;

  @Time()
  created_at: string;

  @Time({ nullable: true, description: 'Updated with a delay of about 10 seconds.' })
  last_used_at: string | null;

  @Time({ nullable: true, example: null })
  expires_at: string | null;

  @Time({ nullable: true, example: null })
  revoked_at: string | null;
}

@Schema('NewKey')
export class NewKeyResponse extends KeyResponse {
  @Text({
    nullable: true,
    description: 'The complete key, shown once; null in a replayed response.',
    example: 'rcpt_live_4eC39HqLyjWDarjtT1zdp7dc0vXkQ200djdW',
  })
  key: string | null;
}

@Schema('KeyPage')
export class KeysPage extends pageOf(KeyResponse) {}

export function toInput(body: ApiKeyCreate): CreateKeyInput {
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
