import type { SignupConfirmation } from './signup-confirmation.js';

/** Port: pending sign-up links, and counts of sent links. */
export abstract class SignupConfirmationRepository {
  abstract add(confirmation: SignupConfirmation): Promise<void>;

  /** Removes and returns it; null when it is unknown or expired. Of concurrent callers, one gets it. */
  abstract consume(tokenDigest: Buffer, now: Date): Promise<SignupConfirmation | null>;

  /**
   * Counts a mail for the UTC day; safe under concurrency.
   *
   * @param subject the recipient or the source; stored as a keyed hash.
   * @returns false when the limit is reached; it is not counted then.
   */
  abstract countMail(subject: string, now: Date, max: number): Promise<boolean>;
}
