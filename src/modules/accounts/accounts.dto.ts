import { ApiProperty } from '@nestjs/swagger';
import { FEATURES, ROLES, type Feature, type Role } from '../../kernel/principal.js';
import {
  Count,
  DisplayName,
  EmailAddress,
  Flag,
  Id,
  ListOf,
  ObjectOf,
  OneOf,
  Schema,
  SchemaWithOne,
  SomeOf,
  Text,
  Time,
  WholeNumber,
} from '../../platform/http/validation/fields.js';
import {
  KeyResponse,
  NewKeyResponse,
  toNewResponse,
  toResponse as toKeyResponse,
} from '../api-keys/api-keys.dto.js';
import { MemberResponse, TeamResponse, toMemberResponse, toTeamResponse } from '../teams/teams.dto.js';
import type { User } from '../teams/users.service.js';
import type { CallerProfile, NewMember } from './accounts.service.js';
import { SIGNUP_MODES, type SignupMode } from './domain/account-settings.js';
import type { SignedIn } from './sign-in.service.js';
import type { SignedUp, SignupInput } from './signup.service.js';

/** Of an invite or a link. */
const Token = (message: string, options: { optional?: true; description?: string } = {}) =>
  Text({ ...options, min: 1, max: 200, message, tooLong: 'A token has at most 200 characters.' });

@Schema('User')
export class UserResponse {
  @Id('usr')
  id: string;

  @Text({ example: 'jane@example.com' })
  email: string;

  @Time()
  created_at: string;
}

@Schema('UpgradePrice')
export class UpgradePriceResponse {
  @Text({ example: 'growth' })
  tier: string;

  @WholeNumber({ description: 'In the smallest unit of the currency, before taxes.', example: 4900 })
  amount: number;

  @Text({ description: 'ISO 4217, in lower case.', example: 'eur' })
  currency: string;

  @Text({ description: '`day`, `week`, `month` or `year`.', example: 'month' })
  interval: string;

  @WholeNumber({ description: 'The number of intervals between two payments.', example: 1 })
  interval_count: number;
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

  @SomeOf(FEATURES, { none: null, description: 'What the tier includes; a test key has all.' })
  features: Feature[];

  @Count('Maximum number of rows in a list; 0: the tier has no lists.', { example: 10_000 })
  bulk_limit: number;

  @ApiProperty({
    type: [String],
    description:
      'Tiers on sale other than that of the team, for `POST /v1/billing/subscribe`; empty for a key that may not subscribe, and without billing.',
    example: ['growth'],
  })
  upgrades: string[];

  @ListOf(() => UpgradePriceResponse, {
    description:
      'The prices of these tiers, as Stripe states them, at most an hour old. A tier without a fixed price is missing, and so are those that Stripe has not answered for.',
  })
  upgrade_prices: UpgradePriceResponse[];
}

export function toMeResponse(profile: CallerProfile): MeResponse {
  const { user, team, key, features, bulkLimit, upgrades, upgradePrices } = profile;
  return {
    user: user && toUserResponse(user),
    team: toTeamResponse(team),
    role: team.role,
    key: toKeyResponse(key),
    operator: team.team.isFirst && team.role === 'owner',
    features,
    bulk_limit: bulkLimit,
    upgrades,
    upgrade_prices: upgradePrices.map(({ tier, amount, currency, interval, intervalCount }) => ({
      tier,
      amount,
      currency,
      interval,
      interval_count: intervalCount,
    })),
  };
}

export function toUserResponse({ id, email, createdAt }: User): UserResponse {
  return { id, email, created_at: createdAt.toISOString() };
}

@Schema('AcceptInvite')
export class AcceptInvite {
  @Token('Send the token of the invite.')
  token: string;
}

@Schema('Joined')
export class JoinedResponse {
  @ObjectOf(() => TeamResponse)
  team: TeamResponse;

  @ObjectOf(() => MemberResponse)
  member: MemberResponse;

  @ObjectOf(() => NewKeyResponse, {
    nullable: true,
    description: 'A key of a new member for this team; null: the user was a member before.',
  })
  key: NewKeyResponse | null;
}

export function toJoinedResponse({ team, member, key }: NewMember): JoinedResponse {
  return {
    team: toTeamResponse(team),
    member: toMemberResponse(member),
    key: key && toNewResponse(key),
  };
}

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

  @Token('Send the token of the invite.', { optional: true, description: 'Joins the team of the invite.' })
  invite_token?: string;
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
  @Token('Send the token of the link.')
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
}

@Schema('SignInConfirm')
export class SignInConfirm {
  @Token('Send the token of the link.')
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
