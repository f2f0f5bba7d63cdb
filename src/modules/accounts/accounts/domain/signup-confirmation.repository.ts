import type { SignupConfirmation } from './signup-confirmation.js';

/** Port: pending sign-up links. */
export abstract class SignupConfirmationRepository {
  abstract add(confirmation: SignupConfirmation): Promise<void>;

  /** Removes and returns it; null when it is unknown or expired. Of concurrent callers, one gets it. */
  abstract consume(tokenDigest: Buffer, now: Date): Promise<SignupConfirmation | null>;
}
