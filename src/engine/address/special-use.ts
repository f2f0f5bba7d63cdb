import { domainAndParents } from '../../kernel/text/domain-name.js';
import { words } from '../../kernel/text/words.js';

/**
 * The names of IANA's registry "Special-Use Domain Names", by document. None of them, nor a subdomain, accepts
 * mail from the Internet, so no name server is queried.
 */
const NAMES_OF: Readonly<Record<string, string>> = {
  'RFC 6761': `
    example example.com example.net example.org invalid localhost test 10.in-addr.arpa
    168.192.in-addr.arpa`,
  'RFC 6762': `
    local 254.169.in-addr.arpa 8.e.f.ip6.arpa 9.e.f.ip6.arpa a.e.f.ip6.arpa b.e.f.ip6.arpa`,
  'RFC 7686': 'onion',
  'RFC 8375': 'home.arpa',
  'RFC 8880': 'ipv4only.arpa 170.0.0.192.in-addr.arpa 171.0.0.192.in-addr.arpa',
  'RFC 9031': '6tisch.arpa',
  'RFC 9140': 'eap-noob.arpa',
  'RFC 9462': 'resolver.arpa',
  'RFC 9476': 'alt',
  'RFC 9665': 'service.arpa',
};

const SPECIAL_USE: ReadonlySet<string> = new Set([
  ...Object.values(NAMES_OF).flatMap(words),
  // RFC 6761: the reverse zones of 172.16.0.0/12.
  ...Array.from({ length: 16 }, (_, n) => `${16 + n}.172.in-addr.arpa`),
]);

/**
 * Whether the domain is a special-use name or a subdomain of one.
 *
 * @param domain A-label, lower case, no final dot
 */
export function isSpecialUse(domain: string): boolean {
  return domainAndParents(domain).some((name) => SPECIAL_USE.has(name));
}
