import type { Scope } from '../../../kernel/principal.js';

/** What an assistant may be allowed to do: each is a scope of keys, and routes name the scopes that they accept. */
export const OAUTH_SCOPES = ['verify', 'lists', 'usage'] as const satisfies readonly Scope[];
export type OAuthScope = (typeof OAUTH_SCOPES)[number];

/** @param text scopes with spaces between them (RFC 6749 §3.3); unknown ones are left out. */
export function scopesIn(text: unknown): OAuthScope[] {
  const named = typeof text === 'string' ? text.split(' ') : [];
  return OAUTH_SCOPES.filter((scope) => named.includes(scope));
}
