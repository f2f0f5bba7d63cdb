/** Words that every module uses in the same sense. */

export type TeamId = string;
export type UserId = string;
export type KeyId = string;

/** Test keys touch no network and cost nothing. */
export const MODES = ['live', 'test'] as const;
export type Mode = (typeof MODES)[number];

/** In rising order of what they may do. */
export const ROLES = ['member', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export function atLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** A row of the tier table, by name. */
export type TierName = string;

/** What a tier may or may not include. */
export const FEATURES = ['verify', 'refresh', 'bulk'] as const;
export type Feature = (typeof FEATURES)[number];

/** What a team decides about its own verdicts and data. */
export interface TeamRules {
  /** A role address that would be deliverable is `risky / role`. */
  roleIsRisky: boolean;
  /** Days that results and facts about addresses are kept; never more than the tier's. */
  retentionDays: number;
}

/** Who calls: the key that was shown, and what it stands for. */
export interface Principal {
  keyId: KeyId;
  mode: Mode;
  teamId: TeamId;
  /** null: a service key, which belongs to the team and acts as `member`. */
  userId: UserId | null;
  role: Role;
  /** When the key ends by itself; null: it does not. */
  expiresAt: Date | null;
  /** The tier in force. */
  tier: TierName;
  rules: TeamRules;
}
