/** Distinct addresses of one domain that are answered within 24 hours. */
export interface AddressLimits {
  perClient: number;
  /** By all clients of a key; null: no limit. */
  perKey: number | null;
}

/**
 * Visitors of a sign-up form have addresses of many domains, and a few share a company, a family or a
 * school. Who guesses the mailboxes of a domain needs hundreds of addresses of it. Two clients are needed
 * to use up what a key answers about a domain.
 */
const OF_A_DOMAIN: AddressLimits = { perClient: 10, perKey: 20 };

/**
 * A large part of all visitors has an address of a mailbox provider, so a limit for the key would end the
 * verification of honest ones. The visitors behind one address translator share the limit of a client.
 */
const OF_A_PROVIDER: AddressLimits = { perClient: 20, perKey: null };

export function addressLimits(isMailboxProvider: boolean): AddressLimits {
  return isMailboxProvider ? OF_A_PROVIDER : OF_A_DOMAIN;
}
