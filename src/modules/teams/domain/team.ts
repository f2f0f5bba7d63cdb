import { newId } from '../../../kernel/ids.js';
import type { TeamId, TierName } from '../../../kernel/principal.js';

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
