import type { Reason } from '../../../kernel/verdict.js';
import type { Statistics } from './statistics.js';

/** A verdict of an address, so that an outcome finds it. */
export interface SeenVerdict {
  /** `EmailAddress.key`. */
  key: string;
  verifiedAt: Date;
  reason: Reason;
  /** The registrable domain of the mail servers. */
  operator: string | null;
  provider: string | null;
  /** The server accepted the address at RCPT, and is not known to accept every address. */
  isAccepted: boolean;
  /** `Estimate.deliverable`. */
  estimate: number | null;
}

/** What the outcomes of a team, and of others, show. */
export interface Experience {
  /** null: the team has no outcomes. */
  statistics: Statistics | null;
  /** The team reports outcomes. */
  hasOutcomes: boolean;
  /** Operators that return mail which their servers accepted. */
  operators: readonly string[];
}
