/** A domain that no list names, and whose mail goes to a provider that is on one. */
export interface DisposableCandidate {
  /** A-label, lower case, no final dot. */
  domain: string;
  /** Where its mail goes. */
  mxHost: string;
  /** Since it was last told. */
  times: number;
  lastSeenAt: Date;
}
