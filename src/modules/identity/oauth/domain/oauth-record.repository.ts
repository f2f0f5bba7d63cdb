import type { KeyId } from '../../../../kernel/principal.js';

/** What the authorization server stores. */
export const OAUTH_MODELS = [
  'Client',
  // The metadata document of a client, whose id is its URL.
  'ClientDocument',
  'Interaction',
  'Grant',
  'AuthorizationCode',
  'AccessToken',
  'RefreshToken',
] as const;
export type OAuthModel = (typeof OAUTH_MODELS)[number];

export interface OAuthRecord {
  payload: Readonly<Record<string, unknown>>;
  /** The key that stands for the grant; null: not of a grant. */
  keyId: KeyId | null;
  expiresAt: Date;
  consumedAt: Date | null;
}

export interface NewOAuthRecord extends Omit<OAuthRecord, 'consumedAt'> {
  /** Of codes, tokens and the grant itself; otherwise null. */
  grantId: string | null;
  /** Of a grant; otherwise null. */
  clientId: string | null;
}

/** Port: clients, requests, grants and tokens. An id may be a token, so that only its digest is stored. */
export abstract class OAuthRecordRepository {
  /** Adds or replaces it; what was consumed stays consumed. */
  abstract save(model: OAuthModel, id: string, record: NewOAuthRecord): Promise<void>;

  /** Changes what is stored, and not its end. @returns false: there is none. */
  abstract replace(model: OAuthModel, id: string, payload: OAuthRecord['payload']): Promise<boolean>;

  /** @returns null if there is none, or it has expired. */
  abstract find(model: OAuthModel, id: string, now: Date): Promise<OAuthRecord | null>;

  /** @returns false: it was consumed before, or there is none. */
  abstract consume(model: OAuthModel, id: string, now: Date): Promise<boolean>;

  /** Moves the end of a record to a later time. */
  abstract extend(model: OAuthModel, id: string, expiresAt: Date): Promise<void>;

  abstract delete(model: OAuthModel, id: string): Promise<void>;

  /** Deletes a grant with its codes and tokens. */
  abstract deleteGrant(grantId: string): Promise<void>;

  /** The keys of the latest grants of a client that have not expired. */
  abstract listKeysOfGrants(clientId: string, now: Date, limit: number): Promise<KeyId[]>;
}
