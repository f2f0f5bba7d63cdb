import type { Checks, ListMatch } from '../../../kernel/verdict.js';
import type { DisposableOverride, DomainLists, ListEntry } from './disposable-domains.js';
import type { EmailAddress } from './email-address.js';
import { freeProvider } from './free-providers.js';
import { isNoReply, roleAccount } from './role-accounts.js';

export type { ListEntry } from './disposable-domains.js';

/** Why a domain counts as disposable, and to whom. */
export interface DisposableEntry extends ListEntry {
  scope: ListMatch['scope'];
}

/** What the lists know about an address; the entries are what a verdict can name as evidence. */
export interface AddressListing {
  checks: Pick<Checks, 'disposable' | 'privacyRelay' | 'role' | 'free' | 'subaddress' | 'noReply'>;
  disposable: DisposableEntry | null;
  privacyRelay: ListEntry | null;
  role: ListEntry | null;
}

/** Of a text that is no address. */
export const NO_LISTING: AddressListing = {
  checks: {
    disposable: false,
    privacyRelay: false,
    role: false,
    free: false,
    subaddress: false,
    noReply: false,
  },
  disposable: null,
  privacyRelay: null,
  role: null,
};

/**
 * Holds an address against every list. Asks no server.
 *
 * @param override of the address's domain, or of one above it.
 */
export function classify(
  address: EmailAddress,
  lists: DomainLists,
  override: DisposableOverride | null,
): AddressListing {
  const account = accountOf(address);
  const disposable = override === null ? listed(address.domain, lists) : decided(override);
  const privacyRelay = lists.privacyRelay(address.domain);
  const role = roleAccount(account);
  return {
    checks: {
      disposable: disposable !== null,
      privacyRelay: privacyRelay !== null,
      role: role !== null,
      free: freeProvider(address.domain) !== null,
      subaddress: address.subaddress !== null,
      noReply: isNoReply(account),
    },
    disposable,
    privacyRelay,
    role,
  };
}

function listed(domain: string, lists: DomainLists): DisposableEntry | null {
  const entry = lists.disposable(domain);
  return entry && { ...entry, scope: 'global' };
}

function decided({ verdict, pattern, source }: DisposableOverride): DisposableEntry | null {
  if (verdict === 'not_disposable') return null;
  return { pattern, source, scope: source === 'team' ? 'team' : 'global' };
}

/** The local part without needless quotes and without its subaddress: whose mailbox it is. */
function accountOf({ normalized, domain, subaddress }: EmailAddress): string {
  const localPart = normalized.slice(0, -`@${domain}`.length);
  return subaddress === null ? localPart : localPart.slice(0, localPart.indexOf('+'));
}
