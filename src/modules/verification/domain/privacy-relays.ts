import type { ListEntry } from './disposable-domains.js';
import { domainAndParents } from '../../../kernel/domain-name.js';
import { words } from './words.js';

/**
 * Services that hand out addresses which forward to the mailbox of one registered person. Such an
 * address hides who it is, but it stays, and its owner reads it: it is nothing to throw away.
 * Several give every user a subdomain, so subdomains count.
 *
 * What cannot be told: iCloud's Hide My Email (icloud.com), Fastmail's masked addresses
 * (fastmail.com and its sisters) and aliases at a domain of one's own look like any mailbox there.
 */
const RELAYS: Readonly<Record<string, string>> = {
  'Sign in with Apple': 'privaterelay.appleid.com',
  'Firefox Relay': 'mozmail.com relay.firefox.com',
  'DuckDuckGo Email Protection': 'duck.com',
  // The operator's own list, in github.com/micke/valid_email2/issues/211 and github.com/disposable/disposable/issues/136.
  SimpleLogin: `
    simplelogin.com simplelogin.co simplelogin.io simplelogin.fr aleeas.com slmails.com slmail.me
    silomails.com dralias.com 8alias.com 8shield.net`,
  'Proton Pass': 'passmail.net passmail.com passinbox.com passfwd.com',
  'addy.io': 'addy.io anonaddy.com anonaddy.me addymail.com 4wrd.cc mailer.me',
  'AdGuard Mail': 'adguardmail.com',
  'Forward Email': 'forwardemail.net',
  '33Mail': '33mail.com',
  'erine.email': 'erine.email',
  'IronVest (Blur)': 'opayq.com',
  ManyMe: 'manyme.com',
  MsgSafe: 'msgsafe.io msgden.net',
  Sneakemail: 'sneakemail.com snkmail.com snkml.com',
  ExpressMailGuard: 'clivaro.io',
};

const SERVICE_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(RELAYS).flatMap(([service, domains]) =>
    words(domains).map((domain): [string, string] => [domain, service]),
  ),
);

/** The relay service that the domain belongs to, or null. @param domain A-label, lower case, no final dot */
export function privacyRelay(domain: string): ListEntry | null {
  const pattern = domainAndParents(domain).find((name) => SERVICE_OF.has(name));
  return pattern === undefined ? null : { pattern, source: `built in: ${SERVICE_OF.get(pattern)}` };
}
