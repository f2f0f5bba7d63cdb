export type TeamId = string;
export type UserId = string;
export type KeyId = string;

/** Test keys use no network and no quota. */
export const MODES = ['live', 'test'] as const;
export type Mode = (typeof MODES)[number];

/** In ascending order of permissions. */
export const ROLES = ['member', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export function atLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** The name of a row in the tier table. */
export type TierName = string;

export const FEATURES = ['verify', 'refresh', 'bulk', 'schedules', 'domains'] as const;
export type Feature = (typeof FEATURES)[number];

export interface TeamRules {
  /** Deliverable role addresses are reported as `risky / role`. */
  roleIsRisky: boolean;
  /** Days that results and facts about addresses are stored; at most the tier's value. */
  retentionDays: number;
}

/** What a key may be limited to. `all`: everything that its role may do. */
export const KEY_SCOPES = ['verify', 'lists', 'read', 'webhooks', 'outcomes', 'all'] as const;
/** `usage` is a scope of access tokens only. */
export const SCOPES = [...KEY_SCOPES, 'usage'] as const;
export type Scope = (typeof SCOPES)[number];
/** What an assistant may be allowed to do. */
export const OAUTH_SCOPES = ['verify', 'lists', 'usage'] as const satisfies readonly Scope[];
export type OAuthScope = (typeof OAUTH_SCOPES)[number];

/** The kinds of keys. Everyone who opens a page can read the publishable key in it. */
export const KEY_KINDS = ['secret', 'publishable'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** What a publishable key may be used for. The key has no role: it may only verify single addresses. */
export interface PublishableRules {
  /** The origins of the pages that may use it, as browsers send them (RFC 6454 §6.2). */
  allowedOrigins: readonly string[];
  /** Requests from one client address, in a calendar minute and in a UTC day. */
  perAddress: { perMinute: number; perDay: number };
  /** Requests from all clients, in a UTC day. */
  perDay: number;
}

/** The part of a team's rate, daily quota and probes that all its publishable keys may use together. */
export const PUBLISHABLE_SHARE = 0.5;

/** The program that a user has allowed to act for a team (RFC 6749 §1.1). */
export interface OAuthClient {
  /** As the client calls itself; null: it has no name. */
  name: string | null;
  /** Where its metadata document is (https), or the id of its registration. */
  id: string;
  /** Its metadata document is on a host of its own, so that nobody else can have this id. */
  verified: boolean;
}

/** The authenticated caller: its key, team, user and permissions. */
export interface Principal {
  keyId: KeyId;
  mode: Mode;
  teamId: TeamId;
  /** null: a service key, which belongs to the team and has the role `member`. */
  userId: UserId | null;
  role: Role;
  /** Expiry of the key; null: it does not expire. */
  expiresAt: Date | null;
  /** What the credential is limited to. */
  scopes: readonly Scope[];
  /** The networks of the clients that may use it, as CIDRs; null: all. */
  allowedCidrs: readonly string[] | null;
  /** null: a secret key. */
  publishable: PublishableRules | null;
  /** The tier in force. */
  tier: TierName;
  rules: TeamRules;
}

/** @param accepted one of these is sufficient; without any, only `all` is. */
export function hasScope({ scopes }: Pick<Principal, 'scopes'>, accepted: readonly Scope[]): boolean {
  return scopes.includes('all') || accepted.some((scope) => scopes.includes(scope));
}
