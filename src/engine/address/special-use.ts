import { domainAndParents } from '../../kernel/text/domain-name.js';

/**
 * The names of IANA's registry "Special-Use Domain Names", each with its document. None of them, nor a
 * subdomain, accepts mail from the Internet, so no name server is queried. The RFC 1918 reverse zones
 * are one entry each in the registry.
 */
const SPECIAL_USE: ReadonlyMap<string, string> = new Map([
  ['alt', 'RFC 9476'],
  ['example', 'RFC 6761'],
  ['example.com', 'RFC 6761'],
  ['example.net', 'RFC 6761'],
  ['example.org', 'RFC 6761'],
  ['invalid', 'RFC 6761'],
  ['local', 'RFC 6762'],
  ['localhost', 'RFC 6761'],
  ['onion', 'RFC 7686'],
  ['test', 'RFC 6761'],

  ['6tisch.arpa', 'RFC 9031'],
  ['eap-noob.arpa', 'RFC 9140'],
  ['home.arpa', 'RFC 8375'],
  ['ipv4only.arpa', 'RFC 8880'],
  ['resolver.arpa', 'RFC 9462'],
  ['service.arpa', 'RFC 9665'],

  ['10.in-addr.arpa', 'RFC 6761'],
  ...Array.from({ length: 16 }, (_, i): [string, string] => [`${16 + i}.172.in-addr.arpa`, 'RFC 6761']),
  ['168.192.in-addr.arpa', 'RFC 6761'],
  ['170.0.0.192.in-addr.arpa', 'RFC 8880'],
  ['171.0.0.192.in-addr.arpa', 'RFC 8880'],
  ['254.169.in-addr.arpa', 'RFC 6762'],
  ['8.e.f.ip6.arpa', 'RFC 6762'],
  ['9.e.f.ip6.arpa', 'RFC 6762'],
  ['a.e.f.ip6.arpa', 'RFC 6762'],
  ['b.e.f.ip6.arpa', 'RFC 6762'],
]);

/**
 * Whether the domain is a special-use name or a subdomain of one.
 *
 * @param domain A-label, lower case, no final dot
 */
export function isSpecialUse(domain: string): boolean {
  return domainAndParents(domain).some((name) => SPECIAL_USE.has(name));
}
