import { parseDomainName } from '../../kernel/text/domain-name.js';
import { itemsOf } from './environment-values.js';
import { parsedUrl } from '../../kernel/text/parsed-url.js';

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

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** @throws RangeError that says what to write. */
export function parseIssuer(text: string): string {
  const url = parsedUrl(text.trim());
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
