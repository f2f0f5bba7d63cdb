import { ROLES, type Role } from '../../../../kernel/principal.js';
import {
  DisplayName,
  Flag,
  Id,
  ListOf,
  OneOf,
  Schema,
  SchemaWithAny,
  Text,
  Time,
  WholeNumber,
} from '../../../../platform/http/validation/fields.js';
import type { NamedMember } from '../domain/team.js';
import type { TeamView } from './teams.service.js';

@SchemaWithAny('TeamUpdate', ['name', 'retention_days', 'role_is_risky'])
export class TeamUpdate {
  @DisplayName({ optional: true, example: 'Acme' })
  name?: string;

  @WholeNumber({
    optional: true,
    min: 0,
    // The tiers have lower limits, which the service names.
    max: 36_500,
    message: 'Send a whole number of days, from 0 to the maximum of the tier.',
    description:
      'Days for which results and facts about addresses are stored; at most the limit of the tier.',
    example: 7,
  })
  retention_days?: number;

  @Flag({ optional: true, description: 'Report a deliverable role address as `risky / role`.' })
  role_is_risky?: boolean;
}

@Schema('RoleChange')
export class RoleChange {
  @OneOf(ROLES, { description: '`owner` transfers the team: the caller becomes admin.' })
  role: Role;
}

@Schema('Member')
export class MemberResponse {
  @Id('mem')
  id: string;

  @Id('usr')
  user_id: string;

  @Text({ example: 'jane@example.com' })
  email: string;

  @OneOf(ROLES)
  role: Role;

  @Flag({
    description:
      'Whether the person has shown to own the address: by a link that was mailed to it, or to an identity provider.',
  })
  confirmed: boolean;

  @Time()
  joined_at: string;

  @Time({
    nullable: true,
    description:
      'The last use of a secret key of the member, with a delay of about 10 seconds; null: none yet.',
  })
  last_active_at: string | null;
}

@Schema('Team')
export class TeamResponse {
  @Id('team')
  id: string;

  @Text({ example: 'Acme' })
  name: string;

  @Text({ description: 'The tier in force.', example: 'growth' })
  tier: string;

  @OneOf(ROLES, { description: 'The role of the caller; a service key has the role member.' })
  role: Role;

  @Time()
  created_at: string;

  @WholeNumber({ min: 0, description: 'The setting of the team, or the limit of the tier.', example: 30 })
  retention_days: number;

  @WholeNumber({ min: 0, description: 'The limit of the tier for `retention_days`.', example: 30 })
  max_retention_days: number;

  @Flag()
  role_is_risky: boolean;

  @ListOf(() => MemberResponse)
  members: MemberResponse[];
}

export function toMemberResponse(member: NamedMember): MemberResponse {
  return {
    id: member.id,
    user_id: member.userId,
    email: member.email,
    role: member.role,
    confirmed: member.isConfirmed,
    joined_at: member.joinedAt.toISOString(),
    last_active_at: member.lastActiveAt?.toISOString() ?? null,
  };
}

export function toTeamResponse({
  team,
  tier,
  role,
  rules,
  maxRetentionDays,
  members,
}: TeamView): TeamResponse {
  return {
    id: team.id,
    name: team.name,
    tier,
    role,
    created_at: team.createdAt.toISOString(),
    retention_days: rules.retentionDays,
    max_retention_days: maxRetentionDays,
    role_is_risky: rules.roleIsRisky,
    members: members.map(toMemberResponse),
  };
}
