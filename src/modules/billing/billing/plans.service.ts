import { Injectable } from '@nestjs/common';
import type { Feature, Principal, TierName } from '../../../kernel/principal.js';
import { Config } from '../../../platform/config/config.js';
import { TiersService } from '../../identity/tiers/tiers.service.js';
import { PricesService, type TierPrice } from './prices.service.js';

/** What a tier includes, and what it costs. */
export interface Plan {
  tier: TierName;
  isCurrent: boolean;
  /** Units per UTC day; null: no limit. */
  dailyQuota: number | null;
  /** Null: no limit. */
  requestsPerSecond: number | null;
  bulkLimit: number;
  retentionDays: number;
  features: readonly Feature[];
  /** Null: not for sale, or the payment provider has not answered. */
  price: TierPrice | null;
}

/** The plan of a team and those that it can buy. */
@Injectable()
export class PlansService {
  constructor(
    private readonly tiers: TiersService,
    private readonly prices: PricesService,
    private readonly config: Config,
  ) {}

  /** In ascending order of their tiers; without billing, the team's own plan alone. */
  async list({ tier: current }: Principal): Promise<Plan[]> {
    const onSale = this.config.billing?.prices.map((price) => price.tier) ?? [];
    const prices = await this.prices.list();
    return this.tiers
      .list()
      .filter(({ name }) => name === current || onSale.includes(name))
      .map(({ name, perDay, rate, bulkLimit, retentionDays }) => ({
        tier: name,
        isCurrent: name === current,
        dailyQuota: perDay,
        requestsPerSecond: rate?.perSecond ?? null,
        bulkLimit,
        retentionDays,
        features: this.tiers.features(name, 'live'),
        price: prices.find((price) => price.tier === name) ?? null,
      }));
  }
}
