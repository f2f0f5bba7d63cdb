/** Distinct addresses of one domain that are answered within 24 hours. */
export interface AddressLimits {
  perClient: number;
  /** By all clients of a key; null: no limit. */
  perKey: number | null;
}

/**
 * Visitors of a sign-up form have addresses of many domains, and a few of them share a company, a family
 * or a school. A search for the mailboxes of a domain needs hundreds of its addresses. At least two
 * clients are needed to reach the limit of a key.
 */
const OF_A_DOMAIN: AddressLimits = { perClient: 10, perKey: 20 };

/**
 * Many visitors have an address of a mailbox provider, so a limit for the key would affect legitimate
 * visitors. The visitors behind one NAT share the limit of a client.
 */
const OF_A_PROVIDER: AddressLimits = { perClient: 20, perKey: null };

export function addressLimits(isMailboxProvider: boolean): AddressLimits {
  return isMailboxProvider ? OF_A_PROVIDER : OF_A_DOMAIN;
}
