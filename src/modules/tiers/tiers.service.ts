import { Injectable } from '@nestjs/common';
import type { Feature, TierName } from '../../kernel/language.js';
import { DEFAULT_TIERS, includes, type Tier } from './domain/tier.js';
import { UpgradeRequired } from './tiers.errors.js';

/** The tier table. */
@Injectable()
export class TiersService {
  private readonly tiers = DEFAULT_TIERS;

  get(name: TierName): Tier {
    const tier = this.tiers.find((each) => each.name === name);
    if (tier === undefined) throw new Error(`No tier is named ${name}`);
    return tier;
  }

  names(): TierName[] {
    return this.tiers.map((tier) => tier.name);
  }

  /** `suspended` when the base tier is; else the higher of the base and the subscription. */
  inForce(base: TierName, subscription: TierName | null): TierName {
    if (base === 'suspended' || subscription === null) return base;
    const names = this.names();
    return names.indexOf(subscription) > names.indexOf(base) ? subscription : base;
  }

  /** @throws UpgradeRequired when the tier does not include the feature. */
  require(name: TierName, feature: Feature): void {
    if (!includes(this.get(name), feature)) this.refuse(name, feature);
  }

  /** @throws UpgradeRequired always, naming the least tier that would help. */
  refuse(name: TierName, feature: Feature): never {
    const enough = this.tiers.find((tier) => includes(tier, feature));
    throw new UpgradeRequired(name, enough?.name ?? null, feature);
  }
}
