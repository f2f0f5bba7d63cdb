import type { Verdict } from '../../../kernel/verdict.js';
import { judge, type JudgingRules } from './judge.js';
import type { VerificationResult } from './verify.js';

/** A finding, judged, with the particulars of the call that asked for it. */
export function answer(
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
