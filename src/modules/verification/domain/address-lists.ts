import type { Checks } from '../../../kernel/verdict.js';
import type { DomainLists, ListEntry } from './disposable-domains.js';
import type { EmailAddress } from './email-address.js';
import { freeProvider } from './free-providers.js';
import { isNoReply, roleAccount } from './role-accounts.js';

export type { ListEntry } from './disposable-domains.js';

/** What the lists know about an address; the entries are what a verdict can name as evidence. */
export interface AddressListing {
  checks: Pick<Checks, 'disposable' | 'privacyRelay' | 'role' | 'free' | 'subaddress' | 'noReply'>;
  disposable: ListEntry | null;
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

/** Holds an address against every list. Asks no server. */
export function classify(address: EmailAddress, lists: DomainLists): AddressListing {
  const account = accountOf(address);
  const disposable = lists.disposable(address.domain);
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

/** The local part without needless quotes and without its subaddress: whose mailbox it is. */
function accountOf({ normalized, domain, subaddress }: EmailAddress): string {
  const localPart = normalized.slice(0, -`@${domain}`.length);
  return subaddress === null ? localPart : localPart.slice(0, localPart.indexOf('+'));
}
