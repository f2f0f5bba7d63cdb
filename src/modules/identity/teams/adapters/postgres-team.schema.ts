import { EntitySchema } from 'typeorm';
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
});

export const MemberSchema = new EntitySchema<Member>({
  name: 'Member',
  target: Member,
  tableName: 'members',
  columns: {
    id: { type: 'text', primary: true },
    teamId: { name: 'team_id', type: 'text' },
    userId: { name: 'user_id', type: 'text' },
    role: { type: 'text' },
    joinedAt: { name: 'joined_at', type: 'timestamptz' },
    lastActiveAt: { name: 'last_active_at', type: 'timestamptz', nullable: true },
  },
});
