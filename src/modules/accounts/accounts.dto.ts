import { ROLES, type Role } from '../../kernel/principal.js';
import { Id, ObjectOf, OneOf, Schema, Text, Time } from '../../platform/http/fields.js';
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
}

export function toMeResponse({ user, team, key }: CallerProfile): MeResponse {
  return {
    user: user && toUserResponse(user),
    team: toTeamResponse(team),
    role: team.role,
    key: toKeyResponse(key),
  };
}

export function toUserResponse({ id, email, createdAt }: Person): UserResponse {
  return { id, email, created_at: createdAt.toISOString() };
}
