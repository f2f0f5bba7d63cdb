import type { Verdict } from '../kernel/verdict.js';
import { judge, type JudgingRules } from './judge.js';
import type { VerificationResult } from './verify.js';

/** Judges the evidence and adds the details of the call. */
export function toVerdict(
  email: string,
  { evidence, cached, ageSeconds }: VerificationResult,
  rules: JudgingRules,
  now: Date,
  durationMs: number,
): Verdict {
  return {
    email,
    ...judge(evidence, rules),
    verifiedAt: new Date(now.getTime() - ageSeconds * 1000),
    cached,
    ageSeconds,
    durationMs: Math.round(durationMs),
  };
}
