import type { TierName } from '../../../kernel/principal.js';

/** Provided by the module. */
export abstract class TiersOnSale {
  /** Tiers with a price, in the operator's order; empty without billing. */
  abstract readonly names: readonly TierName[];
}
