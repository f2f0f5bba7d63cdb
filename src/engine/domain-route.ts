import { isSpecialUse } from './address/special-use.js';
import type { MailRoute } from './dns/mx-resolver.js';
import type { InvalidDomainRule } from './evidence.js';

/** Why no name server is asked about a domain; null: one is. */
export function invalidDomainRule(domain: string): InvalidDomainRule | null {
  if (isSpecialUse(domain)) return 'special_use';
  return domain.includes('.') ? null : 'no_dot';
}

/**
 * A filter may deny some of these and resolve others, so that the check of the name servers does not find it.
 * NXDOMAIN for one of them proves nothing.
 */
const EXISTING_DOMAINS: ReadonlySet<string> = new Set([
  'gmail.com',
  'icloud.com',
  'hotmail.com',
  'outlook.com',
  'yahoo.com',
]);

/** The route as the name servers say it, unless it cannot be true. */
export function trustedRoute(route: MailRoute, domain: string): MailRoute {
  return route.kind === 'no_domain' && EXISTING_DOMAINS.has(domain) ? { kind: 'dns_error' } : route;
}
