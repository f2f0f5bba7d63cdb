/** What became of a mail to an address. */
export const OUTCOME_KINDS = ['delivered', 'bounced', 'complained'] as const;
export type OutcomeKind = (typeof OUTCOME_KINDS)[number];

export interface KnownOutcome {
  kind: OutcomeKind;
  at: Date;
  /** Basic reply code of a bounce; null without a reply. */
  code: number | null;
  enhancedCode: string | null;
  /** The text of the reply without addresses, at most 200 characters. */
  text: string | null;
}

/** What a team knows of the mails that it sent to an address, as far as a verdict depends on it. */
export interface AddressHistory {
  latest: KnownOutcome;
  /** The address bounced for good, and nothing newer shows that it receives mail. */
  bouncedAt: Date | null;
  /** A mail was delivered lately, and none has bounced for good since. */
  isDelivered: boolean;
  /**
   * By the latest delivery, complaint or bounce for good in 90 days; null: there is none, or it is a bounce and nobody
   * reports deliveries.
   */
  isReceiving: boolean | null;
  /** Somebody there has complained about a mail. */
  hasComplained: boolean;
}

export const ESTIMATE_BASES = ['address', 'domain', 'host', 'reason'] as const;

/** The share of mail to such an address that arrives, from the outcomes of the team. */
export interface Estimate {
  /** 0–1. */
  deliverable: number;
  /** The bounds of the 90 % interval. */
  low: number;
  high: number;
  /** The closest level of which bounces and deliveries are known. */
  basis: (typeof ESTIMATE_BASES)[number];
  /** Of this level. */
  outcomes: number;
}
