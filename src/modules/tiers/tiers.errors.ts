import { DomainError, type ErrorDefinition } from '../../kernel/errors.js';
import type { Feature, TierName } from '../../kernel/principal.js';

export class UpgradeRequired extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'upgrade_required',
    kind: 'upgrade-required',
    title: 'The tier does not include this',
    help: '`feature` is not part of the team’s `tier`; `required_tier` is the lowest tier that includes it. A retry does not help.',
  };

  constructor(tier: TierName, requiredTier: TierName | null, feature: Feature) {
    super(
      `The tier ${tier} does not include ${feature}${requiredTier === null ? '' : `; ${requiredTier} does`}.`,
      { members: { tier, required_tier: requiredTier, feature } },
    );
  }
}
