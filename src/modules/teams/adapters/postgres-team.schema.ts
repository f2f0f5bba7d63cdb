import { EntitySchema } from 'typeorm';
import { referenceColumn } from '../../../platform/database/reference-column.js';
import { Member, Team } from '../domain/team.js';
import { User } from '../domain/user.js';

export const UserSchema = new EntitySchema<User>({
  name: 'User',
  target: User,
  tableName: 'users',
  columns: {
    id: { type: 'text', primary: true },
    email: { type: 'text' },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    confirmedAt: { name: 'confirmed_at', type: 'timestamptz', nullable: true },
  },
  indices: [
    // Both on lower(email): an EntitySchema has no index on an expression.
    {
      name: 'users_confirmed_email',
      columns: ['email'],
      unique: true,
      where: 'confirmed_at IS NOT NULL',
      synchronize: false,
    },
    { name: 'users_email', columns: ['email'], synchronize: false },
    { name: 'users_page', columns: ['createdAt', 'id'] },
  ],
});

export const TeamSchema = new EntitySchema<Team>({
  name: 'Team',
  target: Team,
  tableName: 'teams',
  columns: {
    id: { type: 'text', primary: true },
    name: { type: 'text' },
    baseTier: { name: 'base_tier', type: 'text' },
    subscriptionTier: { name: 'subscription_tier', type: 'text', nullable: true },
    retentionDays: { name: 'retention_days', type: 'integer', nullable: true },
    roleIsRisky: { name: 'role_is_risky', type: 'boolean', default: false },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    isFirst: { name: 'is_first', type: 'boolean', default: false },
  },
  indices: [{ name: 'teams_first', columns: ['isFirst'], unique: true, where: 'is_first' }],
  checks: [{ name: 'teams_retention_days_check', expression: 'retention_days >= 0' }],
});

export const MemberSchema = new EntitySchema<Member>({
  name: 'Member',
  target: Member,
  tableName: 'members',
  columns: {
    id: { type: 'text', primary: true },
    teamId: referenceColumn('members', 'team_id', 'Team'),
    userId: referenceColumn('members', 'user_id', 'User'),
    role: { type: 'text' },
    joinedAt: { name: 'joined_at', type: 'timestamptz' },
    lastActiveAt: { name: 'last_active_at', type: 'timestamptz', nullable: true },
  },
  uniques: [{ name: 'members_team_id_user_id_key', columns: ['teamId', 'userId'] }],
  checks: [{ name: 'members_role_check', expression: `role IN ('owner', 'admin', 'member')` }],
  indices: [
    { name: 'members_one_owner', columns: ['teamId'], unique: true, where: `role = 'owner'` },
    { name: 'members_user', columns: ['userId'] },
  ],
});
