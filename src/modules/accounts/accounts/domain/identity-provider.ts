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

/**
 * `not_configured`: there is no identity provider; `no_attempt`: the sign-in has expired, has ended, or was begun in
 * another browser; `too_many`: sign-ins of one network; `unavailable`: the identity provider does not respond, or is not
 * configured as it has to be; `invalid_response`: the response belongs to no attempt, was used, or is not of the
 * provider; `denied`: the provider has not signed the person in. The others say why a person that the provider has
 * signed in may not sign in here.
 */
export type OidcRefusal =
  | 'not_configured'
  | 'no_attempt'
  | 'too_many'
  | 'unavailable'
  | 'invalid_response'
  | 'denied'
  | 'no_address'
  | 'not_verified'
  | 'foreign_domain'
  | 'not_a_member';

export class OidcRefused extends Error {
  constructor(
    readonly reason: OidcRefusal,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}

export abstract class IdentityProvider {
  /** @returns the page of the provider, and what `finish` needs. @throws OidcRefused */
  abstract begin(): Promise<{ url: string; attempt: SignInAttempt }>;

  /**
   * @param query of the request with which the browser returns.
   * @throws OidcRefused
   */
  abstract finish(query: string, attempt: SignInAttempt): Promise<Identity>;
}
