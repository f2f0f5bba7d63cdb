import { PickType } from '@nestjs/swagger';
import type { Verdict } from '../../kernel/verdict.js';
import { ObjectOf, Schema } from '../../platform/http/validation/fields.js';
import { VerdictPolicy, VerdictResponse } from './verification.dto.js';

@Schema('ReducedPolicy')
class ReducedPolicy extends PickType(VerdictPolicy, ['decision']) {}

/** A verdict without its evidence, because everyone who opens a page can read it. */
@Schema('ReducedVerdict')
export class ReducedVerdictResponse extends PickType(VerdictResponse, [
  'email',
  'status',
  'reason',
  'did_you_mean',
]) {
  @ObjectOf(() => ReducedPolicy)
  policy: ReducedPolicy;
}

export function toReducedResponse(verdict: Verdict): ReducedVerdictResponse {
  const { email, status, reason, didYouMean, policy } = verdict;
  return { email, status, reason, did_you_mean: didYouMean, policy: { decision: policy.decision } };
}
