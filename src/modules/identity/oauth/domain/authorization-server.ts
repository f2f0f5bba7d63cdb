import type { KeyId, OAuthClient, OAuthScope } from '../../../../kernel/principal.js';

/** How long a client may do what a user has allowed. */
export const GRANT_DAYS = 30;

/** A request and its response, as the HTTP server has them: the authorization server reads and writes them itself. */
export interface Exchange {
  readonly request: object;
  readonly response: object;
}

/** What a request is for. */
export type Endpoint =
  | 'metadata'
  | 'jwks'
  | 'registration'
  | 'authorization'
  /** The browser comes back with the answer of the user. */
  | 'resumption'
  | 'token'
  | 'revocation';

/** What a client asks a user for. */
export interface AuthorizationRequest {
  id: string;
  client: OAuthClient & {
    /** Its page, as it says itself; null: it has named none. */
    uri: string | null;
  };
  /** Where the browser is sent with the answer. */
  redirectUri: string;
  scopes: readonly OAuthScope[];
}

/** What the user allows, and the key that stands for it. */
export interface Approval {
  keyId: KeyId;
  scopes: readonly OAuthScope[];
}

/** Port: OAuth 2.1. */
export abstract class AuthorizationServer {
  /** Responds to a request to one of its endpoints. @throws OAuthRefusal if it is none that can be answered. */
  abstract respond(exchange: Exchange, endpoint: Endpoint): Promise<void>;

  /** The open request of this browser; null: there is none, it has expired, or another browser began it. */
  abstract findRequest(exchange: Exchange): Promise<AuthorizationRequest | null>;

  /** Stores the answer of the user to the request of this browser. @returns where the browser goes on. */
  abstract answer(exchange: Exchange, approval: Approval | null): Promise<string>;
}

/** Port: what the authorization server asks about the key of a grant. */
export abstract class GrantKeys {
  abstract isValid(id: KeyId): Promise<boolean>;
  abstract revoke(id: KeyId): Promise<void>;
}
