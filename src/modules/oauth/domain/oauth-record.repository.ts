import type { KeyId } from '../../../kernel/principal.js';

/** What the authorization server stores. */
export const OAUTH_MODELS = [
  'Client',
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
}

/** Port: clients, requests, grants and tokens. An id may be a token, so that only its digest is stored. */
export abstract class OAuthRecordRepository {
  /** Adds or replaces it; what was consumed stays consumed. */
  abstract save(model: OAuthModel, id: string, record: NewOAuthRecord): Promise<void>;

  /** @returns null if there is none, or it has expired. */
  abstract find(model: OAuthModel, id: string, now: Date): Promise<OAuthRecord | null>;

  /** @returns false: it was consumed before, or there is none. */
  abstract consume(model: OAuthModel, id: string, now: Date): Promise<boolean>;

  /** Moves the end of a record to a later time. */
  abstract extend(model: OAuthModel, id: string, expiresAt: Date): Promise<void>;

  abstract delete(model: OAuthModel, id: string): Promise<void>;

  /** Deletes the records of a grant, of this model. */
  abstract deleteOfGrant(model: OAuthModel, grantId: string): Promise<void>;
}
