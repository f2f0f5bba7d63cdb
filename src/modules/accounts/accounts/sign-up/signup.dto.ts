import { LANGUAGES, type Language } from '../../../../kernel/mail.js';
import {
  DisplayName,
  EmailAddress,
  LinkToken,
  ObjectOf,
  OneOf,
  Schema,
  SchemaWithOne,
} from '../../../../platform/http/validation/fields.js';
import { NewKeyResponse, toNewResponse } from '../../../identity/api-keys/api-keys.dto.js';
import { TeamResponse, toTeamResponse } from '../../../identity/teams/team/teams.dto.js';
import { toUserResponse, UserResponse } from '../../../identity/teams/users/users.dto.js';
import type { SignedUp } from '../invites/joining.service.js';
import type { SignupInput } from './signup.service.js';

const SIGNUP_MODES = ['open', 'confirm', 'closed'] as const;
export type SignupMode = (typeof SIGNUP_MODES)[number];

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

  @LinkToken('Send the token of the invite.', {
    optional: true,
    description: 'Joins the team of the invite.',
  })
  invite_token?: string;

  @OneOf(LANGUAGES, { default: 'en', description: 'Of the mail.' })
  language: Language = 'en';
}

@Schema('SignupOptions')
export class SignupOptionsResponse {
  @OneOf(SIGNUP_MODES, {
    description:
      'Who can create a team. `open`: anyone; `confirm`: anyone, with a test key until the address is confirmed; `closed`: nobody. Invites are valid in all cases.',
  })
  mode: SignupMode;
}

@Schema('SignupConfirm')
export class SignupConfirm {
  @LinkToken('Send the token of the link.')
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

export function toInput({ email, language, team_name, invite_token }: SignupRequest): SignupInput {
  return team_name === undefined
    ? { email, language, inviteToken: invite_token ?? '' }
    : { email, language, teamName: team_name };
}

export function toSignupResponse({ user, team, key }: SignedUp): SignupResponse {
  return { user: toUserResponse(user), team: toTeamResponse(team), key: toNewResponse(key) };
}
