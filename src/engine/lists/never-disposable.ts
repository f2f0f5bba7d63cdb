import { freeProvider } from '../providers/free-providers.js';
import { privacyRelay } from './privacy-relays.js';
import { words } from '../../kernel/text/words.js';

/**
 * Domains that a published list contains or contained although they host regular mailboxes. The
 * operator of each is documented on its web page; other maintained allow lists contain most of them
 * too. Each entry needs such a reason.
 */
const MAILBOX_DOMAINS: Readonly<Record<string, string>> = {
  'a university': 'nus.edu.sg',
  // Vanity domains of mail.com, with permanent mailboxes.
  'mail.com': `
    alumni.com birdlover.com blader.com collector.org cutey.com discofan.com dutchmail.com
    fastservice.com mexicomail.com mindless.com optician.com pacific-ocean.com photographer.net
    presidency.com priest.com protestant.com qualityservice.com royal.net salesperson.net
    snakebite.com uymail.com`,
  // Sold as additional names of a paid mailbox (github.com/FGRibreau/mailchecker/pull/610).
  Fastmail: `
    123mail.org 150mail.com airpost.net eml.cc fastmessaging.com mailhaven.com nospammail.net
    reallyfast.biz reallyfast.info veryfast.biz veryspeedy.net`,
  Hushmail: 'hush.ai hushmail.me',
  'mailboxes with an account and a password':
    'lavabit.com mail2world.com safe-mail.net sibmail.com vfemail.net',
};

const EXEMPT: ReadonlySet<string> = new Set(Object.values(MAILBOX_DOMAINS).flatMap(words));

/**
 * Whether a list entry for the domain is ignored: it belongs to a well-known mailbox provider or a
 * privacy relay, or is a known error.
 *
 * @param domain A-label, lower case, no final dot
 */
export function isNeverDisposable(domain: string): boolean {
  return EXEMPT.has(domain) || freeProvider(domain) !== null || privacyRelay(domain) !== null;
}
