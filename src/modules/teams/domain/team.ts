import { newId } from '../../../kernel/ids.js';
import type { TeamId, TierName, Role, UserId } from '../../../kernel/principal.js';

export class Team {
  readonly id: TeamId = newId('team');
  subscriptionTier: TierName | null = null;
  /** The team's own setting; null: the tier's retention. */
  retentionDays: number | null = null;
  roleIsRisky = false;

  constructor(
    public name: string,
    public baseTier: TierName,
    readonly createdAt: Date,
    /** The operator's team: created before any other, not by sign-up. */
    readonly isFirst = false,
  ) {}
}

export type MemberId = string;

export class Member {
  readonly id: MemberId = newId('mem');

  constructor(
    readonly teamId: TeamId,
    readonly userId: UserId,
    public role: Role,
    readonly joinedAt: Date,
  ) {}
}

export type NamedMember = Omit<Member, 'teamId'> & { email: string };
