import { z } from 'zod';
import { AddressField, NameField } from '../../platform/http/fields.js';
import { NewKeyResponse, toNewResponse } from '../api-keys/api-keys.dto.js';
import { TeamResponse, toTeamResponse } from '../teams/teams.dto.js';
import { toUserResponse, UserResponse } from './accounts.dto.js';
import type { SignedUp, SignupInput } from './signup.service.js';

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

export const SignupConfirm = z
  .strictObject({
    token: z
      .string('Send the token of the link.')
      .min(1, 'Send the token of the link.')
      .max(200, 'That is no token.'),
  })
  .meta({ id: 'SignupConfirm' });

export const SignupResponse = z
  .strictObject({ user: UserResponse, team: TeamResponse, key: NewKeyResponse })
  .meta({ id: 'Signup' });
export type SignupResponse = z.infer<typeof SignupResponse>;

export function toInput({ email, team_name, invite_token }: z.infer<typeof SignupRequest>): SignupInput {
  return team_name === undefined
    ? { email, inviteToken: invite_token ?? '' }
    : { email, teamName: team_name };
}

export function toSignupResponse({ user, team, key }: SignedUp): SignupResponse {
  return { user: toUserResponse(user), team: toTeamResponse(team), key: toNewResponse(key) };
}
