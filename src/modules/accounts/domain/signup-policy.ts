import type { TierName } from '../../../kernel/principal.js';

/** Who may sign up; invited users always may. */
export type SignupMode =
  /** Nobody. */
  | 'closed'
  /** Make a team, with a live key. */
  | 'open'
  /** Make a team, with a test key; the live key takes a link that is sent to their address. */
  | 'confirm';

/** The operator's sign-up settings. */
export class SignupPolicy {
  constructor(
    readonly mode: SignupMode,
    /** The tier of such a team. */
    readonly tier: TierName,
  ) {}
}
