import type { ParsedAddress } from './address/email-address.js';
import { classify } from './lists/address-lists.js';
import type { DisposableOverride, DomainLists } from './lists/domain-list.js';
import type { AddressOverview } from './list-preview.js';

/** What an address shows without the network. */
export function addressOverview(
  parsed: ParsedAddress,
  lists: DomainLists,
  overrideOf: (domain: string) => DisposableOverride | null = () => null,
): AddressOverview {
  const unknown = { isStored: false, isBlocked: false };
  if (!parsed.ok)
    return { domain: null, isDisposable: false, isRole: false, isPrivacyRelay: false, ...unknown };
  const { address } = parsed;
  const { checks } = classify(address, lists, overrideOf(address.domain));
  return {
    domain: address.domain,
    isDisposable: checks.disposable,
    isRole: checks.role,
    isPrivacyRelay: checks.privacyRelay,
    ...unknown,
  };
}
