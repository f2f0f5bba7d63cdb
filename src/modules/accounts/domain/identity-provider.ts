/** What the browser keeps from the start of a sign-in to its end. */
export interface SignInAttempt {
  state: string;
  nonce: string;
  /** Of PKCE (RFC 7636). */
  verifier: string;
}

export interface Identity {
  /** null: not stated. */
  email: string | null;
  isVerified: boolean;
}

/** The identity provider does not respond, or is not configured as it has to be. */
export class ProviderUnavailable extends Error {}

/** The response belongs to no attempt, was used, or is not of the provider. */
export class InvalidProviderResponse extends Error {}

/** The provider has not signed the person in. */
export class DeniedByProvider extends Error {}

export abstract class IdentityProvider {
  /** @returns the page of the provider, and what `finish` needs. @throws ProviderUnavailable */
  abstract begin(): Promise<{ url: string; attempt: SignInAttempt }>;

  /**
   * @param query of the request with which the browser returns.
   * @throws ProviderUnavailable, InvalidProviderResponse, DeniedByProvider
   */
  abstract finish(query: string, attempt: SignInAttempt): Promise<Identity>;
}
