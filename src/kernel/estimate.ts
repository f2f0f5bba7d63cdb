export const ESTIMATE_BASES = ['address', 'domain', 'operator', 'reason'] as const;

/** The share of mail to such an address that arrives, from the outcomes of the team. */
export interface Estimate {
  /** 0–1. */
  deliverable: number;
  /** The bounds of the 90 % interval. */
  low: number;
  high: number;
  /** The closest level that has outcomes. */
  basis: (typeof ESTIMATE_BASES)[number];
  /** Of this level. */
  outcomes: number;
}
