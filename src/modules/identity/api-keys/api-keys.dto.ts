import {
  KEY_KINDS,
  KEY_SCOPES,
  MODES,
  SCOPES,
  type KeyKind,
  type Mode,
  type Scope,
} from '../../../kernel/principal.js';
import { pageOf } from '../../../platform/http/paging/cursor.js';
import {
  DisplayName,
  Flag,
  Id,
  Networks,
  ObjectOf,
  OneOf,
  Origins,
  Schema,
  SomeOf,
  Text,
  Time,
  WholeNumber,
} from '../../../platform/http/validation/fields.js';
import type { IssuedKey, KeyInput } from './api-keys.service.js';
import { LISTED_KINDS, type ApiKey } from './domain/api-key.js';
import { prefixOf, type KeyPrefix } from './domain/secret-key.js';
import { keyLimitsOf, MAX_NETWORKS } from './key-limits.dto.js';
import { MAX_ORIGINS, MAX_PER_DAY, PerAddressLimits, publishableRulesOf } from './publishable-key.dto.js';

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

  @OneOf(KEY_KINDS, {
    default: 'secret',
    message: 'Send secret or publishable.',
    description:
      'A publishable key may stand in a web page: it can only verify single addresses, from pages of `allowed_origins`.',
  })
  kind: KeyKind = 'secret';

  @SomeOf(KEY_SCOPES, {
    none: 'Send at least one scope.',
    optional: true,
    description:
      'Of a secret key: what it may be used for; `all` if it is not given. The limits of a key cannot be changed later.',
    example: ['verify', 'read'],
  })
  scopes?: Scope[];

  @Networks({
    optional: true,
    maxItems: MAX_NETWORKS,
    description: 'Of a secret key: the networks of the clients that may use it; all if it is not given.',
  })
  allowed_cidrs?: string[];

  @Origins({
    optional: true,
    maxItems: MAX_ORIGINS,
    description:
      'Required for a publishable key, and only allowed for it: the exact origins of the pages that use it. https, or http for localhost.',
  })
  allowed_origins?: string[];

  @ObjectOf(() => PerAddressLimits, {
    optional: true,
    description: 'Of a publishable key: the limits for one client address (IPv6: for one /64).',
  })
  per_address?: PerAddressLimits;

  @WholeNumber({
    optional: true,
    min: 1,
    max: MAX_PER_DAY,
    message: `Send a whole number from 1 to ${MAX_PER_DAY}.`,
    description: 'Of a publishable key: requests of all clients in a UTC day, 1,000 if it is not given.',
    example: 1_000,
  })
  per_day?: number;
}

@Schema('ApiKeyUpdate')
export class ApiKeyUpdate {
  @DisplayName({ example: 'Website' })
  name: string;
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

@Schema('KeyClient')
export class KeyClientResponse {
  @Text({
    description: 'The URL of its metadata document, or the id of its registration.',
    example: 'https://assistant.example/client.json',
  })
  id: string;

  @Text({
    nullable: true,
    description: 'As it calls itself: any program can take any name.',
    example: 'Assistant',
  })
  name: string | null;

  @Flag({ description: 'Whether it has proved to be of the host of its `id`.' })
  verified: boolean;
}

@Schema('Key')
export class KeyResponse {
  @Id('key')
  id: string;

  @Text({ example: 'Website' })
  name: string;

  @OneOf(MODES)
  mode: Mode;

  @OneOf(LISTED_KINDS, {
    description:
      '`oauth`: what a user has allowed a program to do, until `expires_at`. Revoke it to end that.',
  })
  kind: (typeof LISTED_KINDS)[number];

  @OneOf(['rcpt_live_', 'rcpt_test_', 'rcpt_pub_'])
  prefix: KeyPrefix;

  @Text({
    description: 'The last four characters; empty for the kind `oauth`, of which no text exists.',
    example: 'djdW',
  })
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

  @SomeOf(SCOPES, {
    none: null,
    nullable: true,
    description:
      'What the key is limited to; `all`: everything that its role may do. null: a publishable key.',
    example: ['all'],
  })
  scopes: readonly Scope[] | null;

  @Networks({
    nullable: true,
    maxItems: MAX_NETWORKS,
    description: 'The networks of the clients that may use it; null: all, or a publishable key.',
    example: null,
  })
  allowed_cidrs: readonly string[] | null;

  @Origins({ nullable: true, maxItems: MAX_ORIGINS, description: 'null: a secret key.' })
  allowed_origins: readonly string[] | null;

  @ObjectOf(() => PerAddressLimits, { nullable: true, description: 'null: a secret key.' })
  per_address: PerAddressLimits | null;

  @WholeNumber({ nullable: true, min: 1, description: 'null: a secret key.', example: null })
  per_day: number | null;

  @ObjectOf(() => KeyClientResponse, { nullable: true, description: 'Of the kind `oauth`: the program.' })
  client: KeyClientResponse | null;

  @Text({
    nullable: true,
    description: 'The complete key, if it is publishable; null: a secret key.',
    example: null,
  })
  key: string | null;
}

@Schema('NewKey')
export class NewKeyResponse extends KeyResponse {
  @Text({
    nullable: true,
    description: 'The complete key; a secret key is shown once. null in a replayed response.',
    example: 'rcpt_live_4eC39HqLyjWDarjtT1zdp7dc0vXkQ200djdW',
  })
  override key: string | null;
}

@Schema('KeyPage')
export class KeysPage extends pageOf(KeyResponse) {}

export function toInput(body: ApiKeyCreate): KeyInput & { service: boolean } {
  const { name, mode, service, expires_at } = body;
  const expiresAt = expires_at === null ? null : new Date(expires_at);
  return { name, mode, service, expiresAt, publishable: publishableRulesOf(body), ...keyLimitsOf(body) };
}

export function toResponse(key: ApiKey): KeyResponse {
  return {
    id: key.id,
    name: key.name,
    mode: key.mode,
    kind: key.kind,
    prefix: prefixOf(key),
    last4: key.client === null ? key.last4 : '',
    service: key.userId === null,
    user_id: key.userId,
    team_id: key.teamId,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    scopes: key.publishable === null ? key.grantedScopes : null,
    allowed_cidrs: key.allowedCidrs,
    allowed_origins: key.publishable?.allowedOrigins ?? null,
    per_address: key.publishable && {
      per_minute: key.publishable.perAddress.perMinute,
      per_day: key.publishable.perAddress.perDay,
    },
    per_day: key.publishable?.perDay ?? null,
    client: key.client,
    key: key.publishableKey,
  };
}

export function toNewResponse({ key, secret }: IssuedKey): NewKeyResponse {
  return { ...toResponse(key), key: secret };
}
