import { OAUTH_SCOPES, type OAuthScope } from '../../../../kernel/principal.js';

/** @param text scopes with spaces between them (RFC 6749 §3.3); unknown ones are left out. */
export function scopesIn(text: unknown): OAuthScope[] {
  const named = typeof text === 'string' ? text.split(' ') : [];
  return OAUTH_SCOPES.filter((scope) => named.includes(scope));
}
