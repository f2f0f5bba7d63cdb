import { ApiProperty } from '@nestjs/swagger';
import { FEATURES, ROLES, type Feature, type Role } from '../../../kernel/principal.js';
import {
  Count,
  Flag,
  ListOf,
  ObjectOf,
  OneOf,
  Schema,
  SomeOf,
  Text,
  WholeNumber,
} from '../../../platform/http/validation/fields.js';
import { KeyResponse, toResponse as toKeyResponse } from '../../identity/api-keys/api-keys.dto.js';
import { TeamResponse, toTeamResponse } from '../../identity/teams/team/teams.dto.js';
import { toUserResponse, UserResponse } from '../../identity/teams/users/users.dto.js';
import type { CallerProfile } from './accounts.service.js';

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

  @Flag({ description: 'The service is paused: it sends nothing to other systems.' })
  paused: boolean;

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
  const { user, team, key, isPaused, features, bulkLimit, upgrades, upgradePrices } = profile;
  return {
    user: user && toUserResponse(user),
    team: toTeamResponse(team),
    role: team.role,
    key: toKeyResponse(key),
    operator: team.team.isFirst && team.role === 'owner',
    paused: isPaused,
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
