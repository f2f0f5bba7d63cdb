import type { TierName } from '../../../kernel/principal.js';

/** What strangers may do; who is invited may always sign up. */
export type SignupMode =
  /** Nothing. */
  | 'closed'
  /** Make a team, with a live key. */
  | 'open'
  /** Make a team, with a test key; the live key takes a link that is sent to their address. */
  | 'confirm';

/** What the operator has decided about strangers. */
export class SignupPolicy {
  constructor(
    readonly mode: SignupMode,
    /** What such a team starts on. */
    readonly tier: TierName,
  ) {}
}
