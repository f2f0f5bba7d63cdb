import { z } from 'zod';
import { ROLES } from '../../kernel/principal.js';
import { NameField } from '../../platform/http/fields.js';
import type { NamedMember } from './domain/member.js';
import type { TeamView } from './teams.service.js';

export const TeamUpdate = z
  .strictObject({
    name: NameField.optional(),
    retention_days: z
      .int('Send a whole number of days.')
      .min(0, 'Send a whole number of days, 0 or more.')
      .optional()
      .meta({ description: 'Days that results and facts about addresses are kept; at most the tier’s.' }),
    role_is_risky: z
      .boolean('Send true or false.')
      .optional()
      .meta({ description: 'Count a deliverable role address as `risky / role`.' }),
  })
  .refine((changes) => Object.values(changes).some((value) => value !== undefined), {
    message: 'Send at least one of name, retention_days, role_is_risky.',
  })
  .meta({ id: 'TeamUpdate', minProperties: 1 });

export const RoleChange = z
  .strictObject({
    role: z.enum(ROLES, `Send one of ${ROLES.join(', ')}.`).meta({
      description: '`owner` hands the team over: the caller becomes admin in the same moment.',
    }),
  })
  .meta({ id: 'RoleChange' });

export const MemberResponse = z
  .strictObject({
    id: z.string(),
    user_id: z.string(),
    email: z.string(),
    role: z.enum(ROLES),
    joined_at: z.iso.datetime(),
  })
  .meta({ id: 'Member' });
export type MemberResponse = z.infer<typeof MemberResponse>;

export const TeamResponse = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    tier: z.string().meta({ description: 'The tier in force.' }),
    role: z.enum(ROLES).meta({ description: 'The caller’s; a service key acts as member.' }),
    created_at: z.iso.datetime(),
    retention_days: z.int().min(0).meta({ description: 'The team’s choice, or the tier’s.' }),
    role_is_risky: z.boolean(),
    members: z.array(MemberResponse),
  })
  .meta({ id: 'Team' });
export type TeamResponse = z.infer<typeof TeamResponse>;

export function toMemberResponse({ id, userId, email, role, joinedAt }: NamedMember): MemberResponse {
  return { id, user_id: userId, email, role, joined_at: joinedAt.toISOString() };
}

export function toTeamResponse({ team, tier, role, rules, members }: TeamView): TeamResponse {
  return {
    id: team.id,
    name: team.name,
    tier,
    role,
    created_at: team.createdAt.toISOString(),
    retention_days: rules.retentionDays,
    role_is_risky: rules.roleIsRisky,
    members: members.map(toMemberResponse),
  };
}
