/** Port: the proofs that were confirmed, until they cannot be confirmed any more. */
export abstract class ConfirmedProofs {
  /** @returns whether this is the first confirmation; of several at the same time, one is. */
  abstract confirm(jti: string, expiresAt: Date): Promise<boolean>;
}
