import { z } from 'zod';
import { ROLES } from '../../kernel/language.js';
import { AddressField, NameField } from '../../platform/http/fields.js';
import {
  KeyResponse,
  NewKeyResponse,
  toNewResponse,
  toResponse as toKeyResponse,
} from '../api-keys/api-keys.dto.js';
import { TeamResponse, toTeamResponse } from '../teams/teams.dto.js';
import type { Introduction, Person, SignedUp, SignupWish } from './accounts.service.js';

export const SignupRequest = z
  .strictObject({
    email: AddressField,
    team_name: NameField.optional().meta({ description: 'Makes a team of your own, where sign-up is open.' }),
    invite_token: z
      .string('Send the token of the invite.')
      .min(1, 'Send the token of the invite.')
      .max(200, 'That is no token.')
      .optional()
      .meta({ description: 'Joins the team that the invite is for.' }),
  })
  .refine(({ team_name, invite_token }) => (team_name === undefined) !== (invite_token === undefined), {
    message: 'Send either team_name or invite_token.',
  })
  .meta({ id: 'SignupRequest' });

const UserResponse = z
  .strictObject({ id: z.string(), email: z.string(), created_at: z.iso.datetime() })
  .meta({ id: 'User' });
type UserResponse = z.infer<typeof UserResponse>;

export const SignupResponse = z
  .strictObject({ user: UserResponse, team: TeamResponse, key: NewKeyResponse })
  .meta({ id: 'Signup' });
export type SignupResponse = z.infer<typeof SignupResponse>;

export const MeResponse = z
  .strictObject({
    user: UserResponse.nullable().meta({ description: 'null: a service key asks.' }),
    team: TeamResponse,
    role: z.enum(ROLES),
    key: KeyResponse,
  })
  .meta({ id: 'Me' });
export type MeResponse = z.infer<typeof MeResponse>;

export function toWish({ email, team_name, invite_token }: z.infer<typeof SignupRequest>): SignupWish {
  return team_name === undefined
    ? { email, inviteToken: invite_token ?? '' }
    : { email, teamName: team_name };
}

export function toSignupResponse({ user, team, key }: SignedUp): SignupResponse {
  return { user: toUserResponse(user), team: toTeamResponse(team), key: toNewResponse(key) };
}

export function toMeResponse({ user, team, key }: Introduction): MeResponse {
  return {
    user: user && toUserResponse(user),
    team: toTeamResponse(team),
    role: team.role,
    key: toKeyResponse(key),
  };
}

function toUserResponse({ id, email, createdAt }: Person): UserResponse {
  return { id, email, created_at: createdAt.toISOString() };
}
