import type { Reason } from '../../../../kernel/verdict.js';
import type { Statistics } from './statistics.js';
import type { DomainsOf, Place } from './units.js';

/** A verdict of an address, so that an outcome finds it. */
export interface SeenVerdict extends Place {
  /** `EmailAddress.key`. */
  key: string;
  verifiedAt: Date;
  reason: Reason;
  reasonOfFacts: Reason;
  /** The server accepted the address at RCPT, and is not known to accept every address. */
  isAccepted: boolean;
  /** A server was asked: stored facts were counted when they were found. */
  isNew: boolean;
  /** `Estimate.deliverable`. */
  estimate: number | null;
}

/** What the outcomes of a team show. */
export interface Learned extends Statistics {
  domainsOf: DomainsOf;
}

export interface StoredStatistics {
  /** null: the team has no outcomes. */
  learned: Learned | null;
  /** The team reports outcomes. */
  hasOutcomes: boolean;
  /** Units that return mail which their servers accepted (`Units.unitOf`). */
  returning: readonly string[];
}
