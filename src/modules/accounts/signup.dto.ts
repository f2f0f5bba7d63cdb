import {
  DisplayName,
  EmailAddress,
  ObjectOf,
  Schema,
  SchemaWithOne,
  Text,
} from '../../platform/http/validation/fields.js';
import { NewKeyResponse, toNewResponse } from '../api-keys/api-keys.dto.js';
import { TeamResponse, toTeamResponse } from '../teams/teams.dto.js';
import { toUserResponse, UserResponse } from './accounts.dto.js';
import type { SignedUp, SignupInput } from './signup.service.js';

@SchemaWithOne('SignupRequest', { team_name: 'SignupWithTeam', invite_token: 'SignupWithInvite' })
export class SignupRequest {
  @EmailAddress()
  email: string;

  @DisplayName({
    optional: true,
    description: 'Creates a team, if sign-up is open.',
    example: 'Acme',
  })
  team_name?: string;

  @Text({
    optional: true,
    min: 1,
    max: 200,
    message: 'Send the token of the invite.',
    tooLong: 'A token has at most 200 characters.',
    description: 'Joins the team of the invite.',
  })
  invite_token?: string;
}

@Schema('SignupConfirm')
export class SignupConfirm {
  @Text({
    min: 1,
    max: 200,
    message: 'Send the token of the link.',
    tooLong: 'A token has at most 200 characters.',
  })
  token: string;
}

@Schema('Signup')
export class SignupResponse {
  @ObjectOf(() => UserResponse)
  user: UserResponse;

  @ObjectOf(() => TeamResponse)
  team: TeamResponse;

  @ObjectOf(() => NewKeyResponse)
  key: NewKeyResponse;
}

export function toInput({ email, team_name, invite_token }: SignupRequest): SignupInput {
  return team_name === undefined
    ? { email, inviteToken: invite_token ?? '' }
    : { email, teamName: team_name };
}

export function toSignupResponse({ user, team, key }: SignedUp): SignupResponse {
  return { user: toUserResponse(user), team: toTeamResponse(team), key: toNewResponse(key) };
}
