import { FEATURES, ROLES, type Feature, type Role } from '../../kernel/principal.js';
import {
  Count,
  Flag,
  Id,
  ObjectOf,
  OneOf,
  Schema,
  SomeOf,
  Text,
  Time,
} from '../../platform/http/validation/fields.js';
import { KeyResponse, toResponse as toKeyResponse } from '../api-keys/api-keys.dto.js';
import { TeamResponse, toTeamResponse } from '../teams/teams.dto.js';
import type { User } from '../teams/users.service.js';
import type { CallerProfile } from './accounts.service.js';

@Schema('User')
export class UserResponse {
  @Id('usr')
  id: string;

  @Text({ example: 'jane@example.com' })
  email: string;

  @Time()
  created_at: string;
}

@Schema('Me')
export class MeResponse {
  @ObjectOf(() => UserResponse, { nullable: true, description: 'null: the key is a service key.' })
  user: UserResponse | null;

  @ObjectOf(() => TeamResponse)
  team: TeamResponse;

  @OneOf(ROLES)
  role: Role;

  @ObjectOf(() => KeyResponse)
  key: KeyResponse;

  @Flag({ description: 'Whether the caller may read `GET /v1/admin/system`.' })
  operator: boolean;

  @SomeOf(FEATURES, { none: '', description: 'What the tier includes; a test key has all.' })
  features: Feature[];

  @Count('Maximum number of rows in a list; 0: the tier has no lists.', { example: 10_000 })
  bulk_limit: number;
}

export function toMeResponse({ user, team, key, features, bulkLimit }: CallerProfile): MeResponse {
  return {
    user: user && toUserResponse(user),
    team: toTeamResponse(team),
    role: team.role,
    key: toKeyResponse(key),
    operator: team.team.isFirst && team.role === 'owner',
    features,
    bulk_limit: bulkLimit,
  };
}

export function toUserResponse({ id, email, createdAt }: User): UserResponse {
  return { id, email, created_at: createdAt.toISOString() };
}
