import { parseDomainName } from '../../kernel/text/domain-name.js';
import { itemsOf } from './environment-values.js';

/** Sign-in to the console with an identity provider (OpenID Connect). */
export interface OidcConfig {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** A-labels in lower case; empty: any domain. */
  allowedDomains: readonly string[];
  /** The role in the first team of people who have no account; null: they are refused. */
  role: 'admin' | 'member' | null;
}

interface OidcVariables {
  OIDC_ISSUER?: string | undefined;
  OIDC_CLIENT_ID?: string | undefined;
  OIDC_CLIENT_SECRET?: string | undefined;
  OIDC_ALLOWED_DOMAINS: readonly string[];
  OIDC_ROLE?: 'admin' | 'member' | undefined;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** @throws RangeError that says what to write. */
export function parseIssuer(text: string): string {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  const bare = url !== null && `${url.search}${url.hash}${url.username}${url.password}` === '';
  if (bare && isSecure(url)) return text.trim();
  throw new RangeError(
    'must be the issuer of the identity provider such as https://login.example.org, without query or password; http is accepted on loopback addresses only',
  );
}

/** Whether nobody on the network can read or change what is sent. */
export function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}

/** @throws RangeError that says what to write. */
export function parseDomains(text: string): string[] {
  const parsed = itemsOf(text).map(parseDomainName);
  const domains = parsed.flatMap((entry) => (entry.ok && entry.domain.includes('.') ? [entry.domain] : []));
  if (domains.length > 0 && domains.length === parsed.length) return domains;
  throw new RangeError(
    'must be domains such as example.com,example.org, comma-separated, without @ and wildcards; subdomains are separate domains',
  );
}

/** @returns null: there is no such sign-in; a string: an error message that says what to set. */
export function oidcIn(e: OidcVariables): OidcConfig | null | string {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = e;
  const { OIDC_ALLOWED_DOMAINS: allowedDomains, OIDC_ROLE: role = null } = e;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) {
    const isNoneSet = [issuer, clientId, clientSecret].every((value) => value === undefined);
    if (isNoneSet && allowedDomains.length === 0 && role === null) return null;
    return (
      'Set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET together, or no variable that begins with OIDC_: ' +
      'the identity provider, and the client that is registered there for the console.'
    );
  }
  if (role !== null && allowedDomains.length === 0)
    return (
      'OIDC_ROLE lets people without an account join the first team, and OIDC_ALLOWED_DOMAINS is not set: everybody ' +
      'with an account at the identity provider could join. Set the domains of your addresses, such as example.com.'
    );
  return { issuer, clientId, clientSecret, allowedDomains, role };
}
