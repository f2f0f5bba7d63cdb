/** Errors of RFC 6749 §4.1.2.1 and §5.2, RFC 7591 §3.2.2 and RFC 8707 §2. */
export type OAuthErrorCode =
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_redirect_uri'
  | 'invalid_request'
  | 'invalid_target'
  | 'temporarily_unavailable';

const STATUSES: Partial<Record<OAuthErrorCode, number>> = {
  invalid_client: 401,
  temporarily_unavailable: 429,
};

/** A request that the authorization server refuses before anything is read or changed. */
export class OAuthRefusal extends Error {
  readonly status: number;

  /** @param retryAfter seconds; null: not at all. */
  constructor(
    readonly error: OAuthErrorCode,
    description: string,
    readonly retryAfter: number | null = null,
  ) {
    super(description);
    this.status = STATUSES[error] ?? 400;
  }
}
