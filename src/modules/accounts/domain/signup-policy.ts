import type { TierName } from '../../../kernel/language.js';

/** What the operator has decided about strangers. */
export class SignupPolicy {
  constructor(
    /** Anybody may make a team; else one has to be invited. */
    readonly open: boolean,
    /** What such a team starts on. */
    readonly tier: TierName,
  ) {}
}
