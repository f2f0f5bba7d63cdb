import { ROLES, type Role } from '../../kernel/principal.js';
import { Flag, Id, ObjectOf, OneOf, Schema, Text, Time } from '../../platform/http/validation/fields.js';
import { KeyResponse, toResponse as toKeyResponse } from '../api-keys/api-keys.dto.js';
import { TeamResponse, toTeamResponse } from '../teams/teams.dto.js';
import type { CallerProfile, Person } from './accounts.service.js';

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
}

export function toMeResponse({ user, team, key }: CallerProfile): MeResponse {
  return {
    user: user && toUserResponse(user),
    team: toTeamResponse(team),
    role: team.role,
    key: toKeyResponse(key),
    operator: team.team.isFirst && team.role === 'owner',
  };
}

export function toUserResponse({ id, email, createdAt }: Person): UserResponse {
  return { id, email, created_at: createdAt.toISOString() };
}
