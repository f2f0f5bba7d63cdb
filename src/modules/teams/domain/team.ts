import { newId } from '../../../kernel/ids.js';
import type { TeamId, TierName } from '../../../kernel/principal.js';

export class Team {
  readonly id: TeamId = newId('team');
  /** The provider's tier while a subscription runs. */
  subscriptionTier: TierName | null = null;
  /** The team's own choice; null: as long as the tier keeps them. */
  retentionDays: number | null = null;
  roleIsRisky = false;

  constructor(
    public name: string,
    public baseTier: TierName,
    readonly createdAt: Date,
  ) {}
}
