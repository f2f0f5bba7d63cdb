import type { Checks, ListMatch } from '../../kernel/verdict.js';
import type { DisposableOverride, DomainLists, ListEntry } from './domain-list.js';
import type { EmailAddress } from '../address/email-address.js';
import { freeProvider } from '../providers/free-providers.js';
import { privacyRelay } from './privacy-relays.js';
import { isNoReply, roleAccount } from './role-accounts.js';

export type { ListEntry } from './domain-list.js';

/** The entry that makes a domain disposable, and its scope. */
interface DisposableEntry extends ListEntry {
  scope: ListMatch['scope'];
}

/** The list entries that match an address, as evidence for the verdict. */
export interface AddressListing {
  checks: Pick<Checks, 'disposable' | 'privacyRelay' | 'role' | 'free' | 'subaddress' | 'noReply'>;
  disposable: DisposableEntry | null;
  privacyRelay: ListEntry | null;
  role: ListEntry | null;
}

/** The listing of a text that is no address. */
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
 * Matches an address against every list, without network access.
 *
 * @param override of the address's domain, or of a parent domain.
 */
export function classify(
  address: EmailAddress,
  lists: DomainLists,
  override: DisposableOverride | null,
): AddressListing {
  const account = accountOf(address);
  const disposable = override === null ? listed(address.domain, lists) : fromOverride(override);
  const relay = privacyRelay(address.domain);
  const role = roleAccount(account);
  return {
    checks: {
      disposable: disposable !== null,
      privacyRelay: relay !== null,
      role: role !== null,
      free: freeProvider(address.domain) !== null,
      subaddress: address.subaddress !== null,
      noReply: isNoReply(account),
    },
    disposable,
    privacyRelay: relay,
    role,
  };
}

/** What the lists say about a domain, as `classify` does about its addresses. */
export function checksOfDomain(
  domain: string,
  lists: DomainLists,
  override: DisposableOverride | null,
): Pick<Checks, 'disposable' | 'privacyRelay' | 'free'> {
  const disposable = override === null ? listed(domain, lists) : fromOverride(override);
  return {
    disposable: disposable !== null,
    privacyRelay: privacyRelay(domain) !== null,
    free: freeProvider(domain) !== null,
  };
}

function listed(domain: string, lists: DomainLists): DisposableEntry | null {
  const entry = lists.disposable(domain);
  return entry && { ...entry, scope: 'global' };
}

function fromOverride({ verdict, pattern, source }: DisposableOverride): DisposableEntry | null {
  if (verdict === 'not_disposable') return null;
  return { pattern, source, scope: source === 'team' ? 'team' : 'global' };
}

/** The local part without unnecessary quotes and without its subaddress. */
function accountOf({ normalized, domain, subaddress }: EmailAddress): string {
  const localPart = normalized.slice(0, -`@${domain}`.length);
  return subaddress === null ? localPart : localPart.slice(0, localPart.indexOf('+'));
}
