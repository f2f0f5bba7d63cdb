import type { Verdict } from '../../kernel/verdict.js';
import { parseEmailAddress } from './email-address.js';

/**
 * The verdict with the caller's spelling of the address. Verdicts are shared between spellings
 * (`EmailAddress.key`).
 */
export function inSpelling(verdict: Verdict, email: string): Verdict {
  if (verdict.email === email) return verdict;
  const parsed = parseEmailAddress(email);
  if (!parsed.ok || verdict.normalizedEmail === null) return { ...verdict, email };
  const { normalized, localPart } = parsed.address;
  const domainMeant = verdict.didYouMean?.slice(verdict.didYouMean.lastIndexOf('@') + 1);
  return {
    ...verdict,
    email,
    normalizedEmail: normalized,
    localPart,
    didYouMean: domainMeant === undefined ? null : `${localPart}@${domainMeant}`,
  };
}
