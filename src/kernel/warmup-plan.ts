/** The daily ceilings of a new egress (`EGRESS_WARMUP`). */
export interface WarmupPlan {
  /** Provider, as `dns.provider` names it → probes on the first day. Other providers have no ceiling. */
  starts: ReadonlyMap<string, number>;
  /** Growth factor after a day on which the ceiling was used and rejections were rare. */
  growth: number;
  /** 0–1, of a team's probes; a team with more rejections votes for a lower ceiling. */
  maxRejections: number;
  /** A ceiling above this is removed. */
  until: number;
}

export const NO_WARMUP: WarmupPlan = { starts: new Map(), growth: 1, maxRejections: 0, until: 0 };
