import type { ListEntry } from './domain-list.js';
import { domainAndParents } from '../../kernel/text/domain-name.js';
import { wordsWithKey } from '../../kernel/text/words.js';

/**
 * Services that give a registered person addresses that forward to their mailbox. Such an address hides
 * the person, but it is permanent and read, so it is not disposable. Several services give every user a
 * subdomain, so subdomains count.
 *
 * Not detectable: iCloud's Hide My Email (icloud.com), Fastmail's masked addresses (fastmail.com and
 * its other domains) and aliases at a custom domain, which look like any mailbox there.
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

const SERVICE_OF: ReadonlyMap<string, string> = new Map(wordsWithKey(RELAYS));

/** The relay service that the domain belongs to, or null. @param domain A-label, lower case, no final dot */
export function privacyRelay(domain: string): ListEntry | null {
  const pattern = domainAndParents(domain).find((name) => SERVICE_OF.has(name));
  return pattern === undefined ? null : { pattern, source: `built in: ${SERVICE_OF.get(pattern)}` };
}
