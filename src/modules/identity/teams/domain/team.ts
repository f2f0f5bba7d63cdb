import { newId } from '../../../../kernel/ids.js';
import type { TeamId, TierName, Role, UserId } from '../../../../kernel/principal.js';

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
  /** The last use of a secret key of the user for this team; null: none yet. */
  readonly lastActiveAt: Date | null = null;

  constructor(
    readonly teamId: TeamId,
    readonly userId: UserId,
    public role: Role,
    readonly joinedAt: Date,
  ) {}
}

export type NamedMember = Omit<Member, 'teamId'> & {
  email: string;
  /** Whether the user has shown to own the address. */
  isConfirmed: boolean;
};

/** A user has used a key of the team. */
export type Activity = Pick<Member, 'teamId' | 'userId'> & { at: Date };
