import { LANGUAGES, type Language } from '../../../../kernel/mail.js';
import { ROLES, type Role } from '../../../../kernel/principal.js';
import {
  EmailAddress,
  Flag,
  Id,
  LinkToken,
  ListOf,
  ObjectOf,
  OneOf,
  Schema,
  Text,
} from '../../../../platform/http/validation/fields.js';
import { NewKeyResponse, toNewResponse } from '../../../identity/api-keys/api-keys.dto.js';
import { toUserResponse, UserResponse } from '../../../identity/teams/users/users.dto.js';
import type { SignedIn } from './sign-in.service.js';

@Schema('SignInOptions')
export class SignInOptionsResponse {
  @Flag({ description: 'Whether `POST /signin` sends links. If not, no mail server is configured.' })
  by_mail: boolean;

  @Flag({
    description:
      'Whether a browser can sign in at `/signin/oidc`, with the identity provider of the operator.',
  })
  oidc: boolean;
}

@Schema('SignInRequest')
export class SignInLinkRequest {
  @EmailAddress()
  email: string;

  @OneOf(LANGUAGES, { default: 'en', description: 'Of the mail.' })
  language: Language = 'en';
}

@Schema('SignInConfirm')
export class SignInConfirm {
  @LinkToken('Send the token of the link.')
  token: string;

  @Text({
    optional: true,
    min: 1,
    max: 40,
    message: 'Send the id of a team.',
    tooLong: 'An id has at most 40 characters.',
    description: 'The team of the key; required if the user has several.',
  })
  team_id?: string;
}

@Schema('SignInTeam')
export class SignInTeamResponse {
  @Id('team')
  id: string;

  @Text({ example: 'Acme' })
  name: string;

  @OneOf(ROLES)
  role: Role;
}

@Schema('SignIn')
export class SignInResponse {
  @ObjectOf(() => UserResponse)
  user: UserResponse;

  @ListOf(() => SignInTeamResponse, { description: 'The teams of the user.' })
  teams: SignInTeamResponse[];

  @ObjectOf(() => NewKeyResponse, {
    nullable: true,
    description: 'null: the user has several teams. Send `team_id`; the link is still valid.',
  })
  key: NewKeyResponse | null;
}

export function toSignInResponse({ user, teams, key }: SignedIn): SignInResponse {
  return {
    user: toUserResponse(user),
    teams: teams.map(({ id, name, role }) => ({ id, name, role })),
    key: key && toNewResponse(key),
  };
}
