import { DomainError, type ErrorDefinition } from '../../../kernel/errors.js';
import type { Feature, TierName } from '../../../kernel/principal.js';

/** No tier that the team could buy takes effect. */
const SUSPENDED =
  'The operator has suspended the team. Only the operator can change that; a subscription does not.';

export class UpgradeRequired extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'upgrade_required',
    status: 402,
    title: 'The tier does not include this',
    help: '`feature` is not part of the team’s `tier`; `required_tier` is the lowest tier that includes it. A retry does not help.',
  };

  constructor(tier: TierName, requiredTier: TierName | null, feature: Feature) {
    const who = requiredTier === null ? '' : `; ${requiredTier} does`;
    const detail = tier === 'suspended' ? SUSPENDED : `The tier ${tier} does not include ${feature}${who}.`;
    super(detail, { members: { tier, required_tier: requiredTier, feature } });
  }
}
