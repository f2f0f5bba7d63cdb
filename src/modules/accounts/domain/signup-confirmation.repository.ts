import type { SignupConfirmation } from './signup-confirmation.js';

/** Port: links that were sent to who signed up, and how many were sent. */
export abstract class SignupConfirmationRepository {
  abstract add(confirmation: SignupConfirmation): Promise<void>;

  /** Takes it out; null when it is unknown or expired: of any number of callers, one gets it. */
  abstract take(tokenDigest: Buffer, now: Date): Promise<SignupConfirmation | null>;

  /**
   * Counts a mail of this UTC day, also against those that are counted at the same moment.
   *
   * @param subject to whom or for whom; it is stored as a keyed hash.
   * @returns false: it would be one too many, and is not counted.
   */
  abstract countMail(subject: string, now: Date, most: number): Promise<boolean>;

  /** Erases some links that have expired, and counts of earlier days. @returns how many. */
  abstract eraseExpired(now: Date): Promise<number>;
}
