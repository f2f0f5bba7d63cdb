import type { Role, TierName } from '../../../kernel/principal.js';

export const SIGNUP_MODES = ['open', 'confirm', 'closed'] as const;
export type SignupMode = (typeof SIGNUP_MODES)[number];

/** Port: what the operator has configured about accounts. */
export abstract class AccountSettings {
  /**
   * Who may sign up; invited users always may. `open`: anyone, who gets a team and a live key; `confirm`: anyone, who
   * gets a team and a test key, and the live key by a link that is sent to the address.
   */
  abstract readonly signup: { readonly mode: SignupMode };
  /** Of such a team. */
  abstract readonly defaultTier: TierName;
  /**
   * `allowedDomains`: A-labels; empty: any. `role`: in the first team, of people without an account; null: they are
   * refused.
   */
  abstract readonly oidc: { readonly allowedDomains: readonly string[]; readonly role: Role | null } | null;
  /** null: nothing is sold. */
  abstract readonly billing: { readonly prices: readonly { readonly tier: TierName }[] } | null;
}
