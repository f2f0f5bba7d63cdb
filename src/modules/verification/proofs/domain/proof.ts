import { randomUUID } from 'node:crypto';
import { withoutSurroundingSpace } from '../../../../kernel/text/surrounding-space.js';
import type { KeyId } from '../../../../kernel/principal.js';
import type { Verdict } from '../../../../kernel/verdict.js';

/** Tokens that are longer are neither issued nor read. */
export const MAX_PROOF_LENGTH = 4_096;
export const PROOF_SECONDS = 30 * 60;
/** The clocks of processes, and of those who check proofs, may differ by this. */
export const TOLERANCE_SECONDS = 60;

/** Why a proof is not valid, in the order of the checks. */
export const PROOF_FAULTS = ['malformed', 'signature', 'other_team', 'expired', 'other_email'] as const;
export type ProofFault = (typeof PROOF_FAULTS)[number];

export interface ProofClaims {
  /** The base URL of the installation. */
  iss: string;
  /** The publishable key that verified the address. */
  aud: KeyId;
  /** Of the page. */
  origin: string;
  email: string;
  status: Verdict['status'];
  reason: Verdict['reason'];
  decision: Verdict['policy']['decision'];
  /** In seconds, like `exp`. */
  iat: number;
  exp: number;
  jti: string;
}

export type ProofIssue = Pick<ProofClaims, 'iss' | 'aud' | 'origin'>;

export function claimsOf(
  issue: ProofIssue,
  { email, status, reason, policy }: Pick<Verdict, 'email' | 'status' | 'reason' | 'policy'>,
  now: Date,
): ProofClaims {
  const iat = Math.floor(now.getTime() / 1000);
  const result = { email: spellingOf(email), status, reason, decision: policy.decision };
  return { ...issue, ...result, iat, exp: iat + PROOF_SECONDS, jti: randomUUID() };
}

export function isOfEmail({ email }: Pick<ProofClaims, 'email'>, given: string): boolean {
  return email === spellingOf(given);
}

/**
 * ASCII letters in lower case, as the engine compares addresses: in Unicode, U+212A (the Kelvin sign) would become
 * the letter k of another mailbox.
 */
function spellingOf(email: string): string {
  return withoutSurroundingSpace(email).replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
