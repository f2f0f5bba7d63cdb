import type { TierName } from '../../../kernel/principal.js';

/** Who may sign up; invited users always may. */
export type SignupMode =
  /** Nobody. */
  | 'closed'
  /** Anyone: creates a team and a live key. */
  | 'open'
  /** Anyone: creates a team and a test key; a link that is sent to the address gives the live key. */
  | 'confirm';

/** The operator's sign-up settings. */
export class SignupPolicy {
  constructor(
    readonly mode: SignupMode,
    /** The tier of such a team. */
    readonly tier: TierName,
  ) {}
}
