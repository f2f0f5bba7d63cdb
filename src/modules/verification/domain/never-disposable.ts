import { freeProvider } from './free-providers.js';
import { privacyRelay } from './privacy-relays.js';
import { words } from './words.js';

/**
 * Domains that a published list of disposable ones holds or has held, and that people live at. Who
 * runs each can be read from its web page; lists that other people keep by hand exempt most of
 * them too. An entry belongs here only with such a reason: a list is corrected, not out-voted.
 */
const PEOPLE_LIVE_HERE: Readonly<Record<string, string>> = {
  'a university': 'nus.edu.sg',
  // Vanity domains of mail.com; whoever has a mailbox there keeps it.
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

const EXEMPT: ReadonlySet<string> = new Set(Object.values(PEOPLE_LIVE_HERE).flatMap(words));

/**
 * Whether a list's claim that the domain is disposable is not to be believed: it belongs to a
 * well-known mailbox provider or to a privacy relay, or it is a known mistake.
 *
 * @param domain A-label, lower case, no final dot
 */
export function isNeverDisposable(domain: string): boolean {
  return EXEMPT.has(domain) || freeProvider(domain) !== null || privacyRelay(domain) !== null;
}
