import { freeDomainsOf } from './free-providers.js';

/** How a provider finds the mailbox of an address. ASCII letters mean the same in both cases at all of them. */
export interface MailboxRule {
  /** What the provider says about it. */
  source: string;
  domains: readonly string[];
  /** A mailbox has the same name in all of the domains, and is written with this one; absent: each has its own names. */
  domain?: string;
  /** The name ends before the first of these; absent: the provider has no subaddresses. */
  separator?: '+' | '-';
  /** Dots in a name mean nothing. */
  ignoresDots?: true;
  /** `anything@name.domain` leads to `name@domain`. */
  hasSubdomains?: true;
}

/**
 * Only domains whose addresses are the provider's own. On a hosted domain (Google Workspace, Microsoft 365,
 * Fastmail, Proton or Zoho with a domain of the customer), an administrator decides about subaddresses, and an
 * address may be another mailbox with or without its dots: these have no rule.
 */
export const MAILBOX_RULES: readonly MailboxRule[] = [
  {
    // Dots: /mail/answer/7436150. googlemail.com: /mail/answer/10313.
    source: 'https://support.google.com/mail/answer/22370',
    domains: freeDomainsOf('google'),
    domain: 'gmail.com',
    separator: '+',
    ignoresDots: true,
  },
  {
    // jane@hotmail.com and jane@outlook.com are two mailboxes.
    source:
      'https://learn.microsoft.com/en-us/exchange/recipients-in-exchange-online/plus-addressing-in-exchange-online',
    domains: freeDomainsOf('microsoft'),
    separator: '+',
  },
  {
    // Not every account has all three domains, so that each has its own names.
    source: 'https://support.apple.com/en-us/102540',
    domains: freeDomainsOf('apple'),
    separator: '+',
  },
  {
    // A name with `_` has `-` in its subdomain, so that a subdomain with `-` is the name of two mailboxes.
    source: 'https://www.fastmail.help/hc/en-us/articles/360060591053',
    domains: freeDomainsOf('fastmail'),
    separator: '+',
    hasSubdomains: true,
  },
  {
    // A name in another of the domains may be an address of another account.
    source: 'https://proton.me/support/creating-aliases',
    domains: freeDomainsOf('proton'),
    separator: '+',
  },
  {
    source: 'https://www.zoho.com/mail/help/plus-addressing.html',
    domains: [...freeDomainsOf('zoho'), 'zohomail.in'],
    separator: '+',
  },
  {
    // "Emails sent to any of these addresses will arrive at the same mailbox."
    source: 'https://yandex.com/support/domain/additional/mailbox-alias.xml',
    domains: freeDomainsOf('yandex'),
    domain: 'yandex.ru',
    separator: '+',
  },
  {
    // Names of accounts have no `-`: what is before it is the name that its owner has chosen for such addresses.
    source: 'https://help.yahoo.com/kb/SLN28815.html',
    domains: freeDomainsOf('yahoo'),
    separator: '-',
  },
];
