/** An unlisted domain whose mail servers belong to a listed provider. */
export interface DisposableCandidate {
  /** A-label, lower case, no final dot. */
  domain: string;
  /** Its mail server. */
  mxHost: string;
  /** Since the last write. */
  times: number;
  lastSeenAt: Date;
}
