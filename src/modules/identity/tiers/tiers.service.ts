import { FEATURES, type Feature, type Mode, type TierName } from '../../../kernel/principal.js';
import { includes, type Tier } from './domain/tier.js';
import { UpgradeRequired } from './tiers.errors.js';

const SUSPENDED: TierName = 'suspended';
/** Of a list of a test key, also where the tier has no lists. */
const TEST_BULK_LIMIT = 10_000;

export class TiersService {
  /** @param tiers in ascending order. */
  constructor(private readonly tiers: readonly Tier[]) {}

  /** @throws Error when the table has no such tier. */
  get(name: TierName): Tier {
    const tier = this.tiers.find((known) => known.name === name);
    if (tier === undefined)
      throw new Error(`No tier is named ${name}; there are ${this.names().join(', ')}.`);
    return tier;
  }

  /** In ascending order. */
  list(): readonly Tier[] {
    return this.tiers;
  }

  names(): TierName[] {
    return this.tiers.map((tier) => tier.name);
  }

  /** `suspended` when the base tier is; else the higher of the base and the subscription. */
  effective(base: TierName, subscription: TierName | null): TierName {
    if (this.isSuspended(base) || subscription === null) return base;
    const names = this.names();
    return names.indexOf(subscription) > names.indexOf(base) ? subscription : base;
  }

  /** Maximum number of rows in a list. A test key has all features. */
  bulkLimit(name: TierName, mode: Mode): number {
    const { bulkLimit } = this.get(name);
    return mode === 'test' ? Math.max(TEST_BULK_LIMIT, bulkLimit) : bulkLimit;
  }

  /** What the tier includes. A test key has all features. */
  features(name: TierName, mode: Mode): Feature[] {
    const tier = this.get(name);
    return FEATURES.filter((feature) => mode === 'test' || includes(tier, feature));
  }

  /** @throws UpgradeRequired when the tier does not include the feature. */
  require(name: TierName, feature: Feature): void {
    if (!includes(this.get(name), feature)) this.refuse(name, feature);
  }

  /**
   * @param seconds up to which stored facts may be used; 0: `refresh`; null: any age.
   * @throws UpgradeRequired when the tier does not include `refresh`, and this is less than its minimum.
   */
  requireMaxAge(name: TierName, seconds: number | null): void {
    const tier = this.get(name);
    if (seconds !== null && seconds < tier.minMaxAge && !tier.refresh) this.refuse(name, 'refresh');
  }

  /** The operator's tier for a team that may do nothing for the moment. */
  isSuspended(name: TierName): boolean {
    return name === SUSPENDED;
  }

  /** What reaches others (mails, webhooks) is not for suspended teams. @throws UpgradeRequired */
  requireNotSuspended(name: TierName): void {
    if (this.isSuspended(name)) this.refuse(name, 'verify');
  }

  /** @throws UpgradeRequired always, with the lowest tier that includes the feature. */
  refuse(name: TierName, feature: Feature): never {
    const enough = this.tiers.find((tier) => includes(tier, feature));
    throw new UpgradeRequired(name, enough?.name ?? null, feature);
  }
}
