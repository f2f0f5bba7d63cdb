import { z } from 'zod';
import { ROLES } from '../../kernel/principal.js';
import { KeyResponse, toResponse as toKeyResponse } from '../api-keys/api-keys.dto.js';
import { TeamResponse, toTeamResponse } from '../teams/teams.dto.js';
import type { CallerProfile, Person } from './accounts.service.js';

export const UserResponse = z
  .strictObject({ id: z.string(), email: z.string(), created_at: z.iso.datetime() })
  .meta({ id: 'User' });
export type UserResponse = z.infer<typeof UserResponse>;

export const MeResponse = z
  .strictObject({
    user: UserResponse.nullable().meta({ description: 'null: a service key asks.' }),
    team: TeamResponse,
    role: z.enum(ROLES),
    key: KeyResponse,
  })
  .meta({ id: 'Me' });
export type MeResponse = z.infer<typeof MeResponse>;

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
